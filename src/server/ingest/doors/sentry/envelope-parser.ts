import { badRequest, tooLarge } from "../../../answers/errors.ts";

const MIB = 1_048_576;

/** Limits in bytes. */
const HEADER_BYTES = 64 * 1_024;
const TEXT_BYTES = MIB;
const ATTACHMENT_BYTES = 3 * MIB;
const MAX_ATTACHMENTS = 5;
/** SDKs send one event or feedback per envelope. */
const MAX_TEXTS = 100;
/**
 * Maximum numbers of header and blank lines and of their characters. A few hundred bytes can decompress to 100 MiB of such
 * lines, which take 25 seconds to parse. Skipping a payload of the same size takes a fraction of a second.
 */
const MAX_LINES = 10_000;
const MAX_IN_LINES = MIB;

type Header = Record<string, unknown>;

/** An item that the server uses. `header` is JSON that has not been validated. */
export type Item = { header: Header; payload: Buffer };

export type Envelope = {
  header: Header;
  events: Item[];
  /** Feedback in its current form and in its older one, `user_report`. */
  feedback: Item[];
  userReports: Item[];
  /** News of single sessions, and counts of sessions. */
  sessions: Item[];
  attachments: Item[];
  checkIns: Item[];
  /** The number of skipped items. */
  skipped: number;
};

/** What the next bytes belong to. `gap` is the newline after a payload of known length. */
type State = "envelope header" | "item header" | "payload" | "payload line" | "gap";

const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * Parses an envelope chunk by chunk: a line with its header, then items, each with a header line and a payload, which is
 * `length` bytes long or, without a length, ends at the next newline. Payloads that are not used are skipped without
 * keeping or parsing them.
 */
export class EnvelopeParser {
  readonly envelope: Envelope = {
    header: {},
    events: [],
    feedback: [],
    userReports: [],
    sessions: [],
    attachments: [],
    checkIns: [],
    skipped: 0,
  };
  #state: State = "envelope header";
  /** The part read so far of a line or payload that continues in the next chunk. */
  #parts: Buffer[] = [];
  #size = 0;
  /** The number of bytes missing from the payload. */
  #left = 0;
  /** Where the current item goes; undefined if it is skipped. */
  #target: Item[] | undefined;
  #limit = 0;
  #itemHeader: Header = {};
  #itemLine = "";
  #lines = 0;
  #inLines = 0;
  #hasKept = false;

  get hasHeader(): boolean {
    return this.#state !== "envelope header";
  }

  /** Returns whether it keeps a part of the chunk. 400 if it is not an envelope, 413 if an item is too large. */
  add(chunk: Buffer): boolean {
    let at = 0;
    this.#hasKept = false;
    while (at < chunk.length) {
      if (this.#state === "gap") {
        if (chunk[at] !== NEWLINE) throw badRequest("An item is longer than its header says.");
        at++;
        this.#state = "item header";
      } else if (this.#state === "payload") {
        const end = Math.min(chunk.length, at + this.#left);
        this.#left -= end - at;
        this.#keep(chunk, at, end);
        at = end;
        if (this.#left === 0) this.#endPayload("gap");
      } else {
        const newline = chunk.indexOf(NEWLINE, at);
        const end = newline === -1 ? chunk.length : newline;
        if (this.#isWholeHeader(newline, at)) this.#endHeader(chunk.toString("utf8", at, end));
        else {
          this.#keep(chunk, at, end);
          if (newline !== -1) this.#endLine();
        }
        at = end + 1;
      }
    }
    return this.#hasKept || this.#parts.length > 0;
  }

  /** Call after the last chunk. 400 if the envelope is empty or was cut off. */
  end(): Envelope {
    if (this.#state === "envelope header" && this.#size === 0) throw badRequest("The body is empty.");
    // The last line may lack its newline, and the last item its payload.
    if (this.#state.endsWith("header") || this.#state === "payload line") this.#endLine();
    if (this.#state === "payload line") this.#endLine();
    if (this.#state === "payload") throw badRequest("The last item is shorter than its header says.");
    return this.envelope;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    this.#size += end - start;
    const isHeader = this.#state.endsWith("header");
    if (isHeader && this.#size > HEADER_BYTES) throw badRequest("A header is too long.");
    if (!isHeader && this.#target === undefined) return;
    if (!isHeader && this.#size > this.#limit) return this.#refuseItem();
    if (end > start) this.#parts.push(chunk.subarray(start, end));
  }

  /** Attachments and sessions that are too large are skipped; events and feedback would be lost. */
  #refuseItem(): void {
    const { attachments, sessions } = this.envelope;
    if (this.#target === sessions) this.envelope.skipped++;
    else if (this.#target !== attachments)
      throw tooLarge(`An item of this type may have at most ${this.#limit} bytes.`);
    this.#target = undefined;
    this.#parts = [];
  }

  /** Whether the chunk contains the whole header, as it usually does, so that nothing has to be kept. */
  #isWholeHeader(newline: number, start: number): boolean {
    return (
      newline !== -1 && this.#size === 0 && newline - start <= HEADER_BYTES && this.#state !== "payload line"
    );
  }

  #take(): Buffer {
    const parts = this.#parts;
    this.#size = 0;
    if (parts.length === 0) return NOTHING;
    this.#parts = [];
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  #endLine(): void {
    if (this.#state === "payload line") this.#endPayload("item header");
    else this.#endHeader(this.#take().toString("utf8"));
  }

  #endHeader(line: string): void {
    this.#inLines += line.length;
    if (++this.#lines > MAX_LINES || this.#inLines > MAX_IN_LINES)
      throw tooLarge("The envelope has too many headers or blank lines.");
    if (this.#state === "envelope header") {
      this.envelope.header = parseHeader(line);
      this.#state = "item header";
    } else if (!BLANK.test(line)) {
      // Items of a type, such as sessions, often have the same header.
      if (line !== this.#itemLine) this.#itemHeader = parseHeader(line);
      this.#itemLine = line;
      this.#startItem(this.#itemHeader);
    }
  }

  #startItem(header: Header): void {
    const { length } = header;
    this.#target = this.#targetOf(header["type"]);
    if (!this.#target) this.envelope.skipped++;
    this.#limit = this.#target === this.envelope.attachments ? ATTACHMENT_BYTES : TEXT_BYTES;
    if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0) {
      this.#state = "payload line";
      return;
    }
    this.#left = length;
    if (this.#target && length > this.#limit) this.#refuseItem();
    this.#state = "payload";
    if (length === 0) this.#endPayload("gap");
  }

  #targetOf(type: unknown): Item[] | undefined {
    const { events, feedback, userReports, sessions, attachments } = this.envelope;
    if (type === "event") return events;
    if (type === "feedback") return feedback;
    if (type === "user_report") return userReports;
    if (type === "session" || type === "sessions") return sessions.length < MAX_TEXTS ? sessions : undefined;
    if (type === "check_in") return this.envelope.checkIns;
    // Attachments of events are not used.
    const isOfEvent = events.length > 0 && feedback.length + userReports.length === 0;
    const isUsed = type === "attachment" && !isOfEvent && attachments.length < MAX_ATTACHMENTS;
    return isUsed ? attachments : undefined;
  }

  #endPayload(next: State): void {
    const payload = this.#take();
    if (this.#target) {
      if (this.#target.length >= MAX_TEXTS)
        throw tooLarge(`An envelope may have at most ${MAX_TEXTS} events.`);
      this.#target.push({ header: this.#itemHeader, payload });
      this.#hasKept = true;
    }
    this.#target = undefined;
    this.#state = next;
  }
}

function parseHeader(line: string): Header {
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch {
    throw badRequest("A header is not valid JSON.");
  }
  if (typeof header !== "object" || header === null || Array.isArray(header))
    throw badRequest("A header is not a JSON object.");
  return header as Header;
}

/** Blank lines between items are accepted, such as a newline at the end. */
const BLANK = /^[ \r]*$/;
