import type { ServerResponse } from "node:http";
import type { Caller } from "../access/caller.ts";
import { writePosition, type Position } from "./change-log.ts";
import type { LiveChange } from "../record/live-changes.ts";

/** More than this at once is told in one word: read everything anew. */
const MOST_AT_ONCE = 1_000;

/** How long a browser waits before it connects again. */
const RETRY_MS = 2_000;

/** The time a reader has for the rest when its stream ends. */
const LAST_MS = 1_000;

/** One listener's connection, in the format of server-sent events. */
export class Stream {
  readonly caller: Caller;
  readonly #response: ServerResponse;
  readonly #mostBuffered: number;

  constructor(caller: Caller, response: ServerResponse, mostBuffered: number) {
    this.caller = caller;
    this.#response = response;
    this.#mostBuffered = mostBuffered;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** The head of the answer. The position is where a listener that comes back has to begin. */
  begin(headers: Record<string, string>, position: Position): void {
    this.#response.writeHead(200, headers);
    // A client that vanished without a word is noticed by the system some minutes later.
    this.#response.socket?.setKeepAlive(true, 30_000);
    this.#write(`retry: ${RETRY_MS}\n${idLine(position)}\n`);
  }

  /**
   * Tells what changed up to `position`. Only the last event has the id: a listener that is cut off in their midst asks
   * for all of them again.
   */
  tell(changes: LiveChange[], position: Position): void {
    if (changes.length > MOST_AT_ONCE) return this.reset(position);
    const blocks = changes.map((change, index) => {
      const id = index === changes.length - 1 ? idLine(position) : "";
      return `${id}data: ${dataOf(change)}\n\n`;
    });
    this.#write(blocks.join(""));
  }

  /** Something may have been missed: whoever listens reads everything anew. */
  reset(position: Position): void {
    this.#write(`event: reset\n${idLine(position)}data: {}\n\n`);
  }

  /** No event, but a sign of life, and the new place to begin from after a pause. */
  beat(position: Position): void {
    this.#write(`${idLine(position)}\n`);
  }

  /** What still waits for a slow reader is dropped in the end. */
  end(): void {
    if (!this.isOpen) return;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), LAST_MS).unref();
  }

  /** Whoever reads too slowly is dropped, and catches up when it connects again. */
  #write(text: string) {
    if (!this.isOpen || text === "") return;
    this.#response.write(text);
    if (this.#response.writableLength > this.#mostBuffered) this.#response.destroy();
  }
}

const idLine = (position: Position) => `id: ${writePosition(position)}\n`;

function dataOf({ kind, project_id, id, commentable }: LiveChange): string {
  const on = commentable && { commentable_type: commentable.type, commentable_id: commentable.id };
  return JSON.stringify({ kind, project_id, id, ...on });
}
