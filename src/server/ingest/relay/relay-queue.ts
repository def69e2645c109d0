import type { OutsideRequest } from "../../integrations/webhooks/send/send-request.ts";
import { reuse } from "./body-copy.ts";
import type { Destination } from "./forwarding-counter.ts";

/** Of a process, including envelopes that are being sent. */
const MAX_ENVELOPES = 1_000;
const MAX_BYTES = 16 * 1_048_576;

/** What an envelope takes besides its texts, about. */
const OVERHEAD = 512;

export type QueuedEnvelope = {
  destination: Destination;
  body: Buffer;
  /** Made only when the envelope is sent: under load, most copies are dropped. */
  request: () => Omit<OutsideRequest, "body">;
  /** The length of what the request is made of. */
  requestLength: number;
  /** The envelope's first line names a DSN, which has to be replaced. */
  namesDsn: boolean;
  attempts: number;
  isInFlight: boolean;
};

/** The envelopes of a destination, the oldest first, and how sending them goes. */
export type Line = {
  destination: Destination;
  envelopes: Set<QueuedEnvelope>;
  inFlight: number;
  /** Failed attempts since the last one that succeeded. */
  failures: number;
  /** Ends a pause. */
  timer: NodeJS.Timeout | undefined;
  /** By the monotonic clock. */
  pausedUntil: number;
};

/** Envelopes that wait in memory or are being sent. Beyond its limits the oldest ones that are not being sent are dropped. */
export class RelayQueue {
  readonly lines = new Map<string, Line>();
  readonly #envelopes = new Set<QueuedEnvelope>();
  #bytes = 0;

  get size(): number {
    return this.#envelopes.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the envelope to the line of its destination. Returns what was dropped instead: older ones, or an envelope that is too large. */
  add(envelope: QueuedEnvelope): { line: Line; dropped: QueuedEnvelope[] } {
    const line = this.#lineOf(envelope.destination);
    const size = sizeOf(envelope);
    if (size > MAX_BYTES) return { line, dropped: [envelope] };
    line.envelopes.add(envelope);
    this.#envelopes.add(envelope);
    this.#bytes += size;
    return { line, dropped: this.#isOverLimit ? this.#dropOldest() : [] };
  }

  remove(envelope: QueuedEnvelope): void {
    if (!this.#envelopes.delete(envelope)) return;
    this.#bytes -= sizeOf(envelope);
    const line = this.#lineOf(envelope.destination);
    line.envelopes.delete(envelope);
    this.forgetIfEmpty(line);
  }

  /** A pause outlives its envelopes: the next ones wait, too. */
  forgetIfEmpty({ destination, envelopes, timer }: Line): void {
    if (envelopes.size === 0 && timer === undefined) this.lines.delete(keyOf(destination));
  }

  #lineOf(destination: Destination): Line {
    const key = keyOf(destination);
    let line = this.lines.get(key);
    if (!line) {
      line = {
        destination,
        envelopes: new Set(),
        inFlight: 0,
        failures: 0,
        timer: undefined,
        pausedUntil: 0,
      };
      this.lines.set(key, line);
    }
    return line;
  }

  get #isOverLimit(): boolean {
    return this.#envelopes.size > MAX_ENVELOPES || this.#bytes > MAX_BYTES;
  }

  #dropOldest(): QueuedEnvelope[] {
    const dropped: QueuedEnvelope[] = [];
    for (const envelope of this.#envelopes) {
      if (!this.#isOverLimit) break;
      if (envelope.isInFlight) continue;
      this.remove(envelope);
      // After an attempt, a connection may still refer to the body.
      if (envelope.attempts === 0) reuse(envelope.body);
      dropped.push(envelope);
    }
    return dropped;
  }
}

const keyOf = ({ projectId, dsn }: Destination) => `${projectId} ${dsn}`;

const sizeOf = ({ body, requestLength }: QueuedEnvelope) => body.length + requestLength + OVERHEAD;
