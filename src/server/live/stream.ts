import type { ServerResponse } from "node:http";
import type { LiveEvent } from "../../shared/live-changes.ts";
import type { Caller } from "../access/caller.ts";
import { writePosition, type Position } from "./change-log.ts";
import type { LiveChange } from "../record/live-changes.ts";

/** If more changes are sent at once, the client gets a message to reload everything instead. */
export const MAX_AT_ONCE = 1_000;

/** How long a browser waits before it reconnects. */
const RETRY_MS = 2_000;

/** How long a client may take to receive the buffered rest after its stream has ended. */
const DRAIN_MS = 1_000;

/** One client's connection, in the format of server-sent events. */
export class Stream {
  readonly caller: Caller;
  readonly #response: ServerResponse;
  readonly #maxBuffered: number;

  /** Whether the client has received anything since the last heartbeat. */
  #hasProgressed = true;
  readonly #onFlushed = () => void (this.#hasProgressed = true);

  constructor(caller: Caller, response: ServerResponse, maxBuffered: number) {
    this.caller = caller;
    this.#response = response;
    this.#maxBuffered = maxBuffered;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Sends the response head. A client that reconnects continues after `position`. */
  begin(headers: Record<string, string>, position: Position): void {
    this.#response.writeHead(200, headers);
    // Lets the operating system detect after some minutes that a client has vanished.
    this.#response.socket?.setKeepAlive(true, 30_000);
    this.#write(`retry: ${RETRY_MS}\n${idLine(position)}\n`);
  }

  /**
   * Sends the changes up to `position`. Only the last event carries the id, so that a client that is cut off in between
   * asks for all of them again.
   */
  send(changes: LiveChange[], position: Position): void {
    if (changes.length > MAX_AT_ONCE) return this.reset(position);
    const blocks = changes.map((change, index) => {
      const id = index === changes.length - 1 ? idLine(position) : "";
      return `${id}data: ${dataOf(change)}\n\n`;
    });
    this.#write(blocks.join(""));
  }

  /** Tells the client to reload everything, because it may have missed changes. */
  reset(position: Position): void {
    this.#write(`event: reset\n${idLine(position)}data: {}\n\n`);
  }

  /**
   * Keeps the connection alive and advances the position where the client would continue. It is an event, because scripts in
   * browsers see neither ids without an event nor how long a connection has been silent. Disconnects a client that has received
   * nothing since the last heartbeat although something was sent.
   */
  sendHeartbeat(position: Position): void {
    if (this.#response.writableLength > 0 && !this.#hasProgressed) return void this.#response.destroy();
    this.#hasProgressed = false;
    this.#write(`event: heartbeat\n${idLine(position)}data: {}\n\n`);
  }

  /** Ends the stream; what a slow client has not received in time is dropped. */
  end(): void {
    if (!this.isOpen) return;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), DRAIN_MS).unref();
  }

  /** Disconnects a client that reads too slowly. It catches up when it reconnects. */
  #write(text: string) {
    if (!this.isOpen || text === "") return;
    this.#response.write(text, this.#onFlushed);
    if (this.#response.writableLength > this.#maxBuffered) this.#response.destroy();
  }
}

const idLine = (position: Position) => `id: ${writePosition(position)}\n`;

function dataOf({ kind, project_id, id, commentable }: LiveChange): string {
  const on = commentable && { commentable_type: commentable.type, commentable_id: commentable.id };
  const event: LiveEvent = { kind, project_id, id, ...on };
  return JSON.stringify(event);
}
