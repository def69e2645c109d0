import type { ReadEvent } from "../read/read-event.ts";
import { RecentTexts } from "../../caches/recent-texts.ts";

/** What a group takes besides its texts: rows, indexes, and the search index. */
const GROUP_BYTES = 4_096;

/** Events up to this size count only if they are kept or create a group. */
const FREE_BYTES = 4_096;

/** Characters of the names of groups and releases. */
const MAX_REMEMBERED = 5_000_000;

/** What a batch did with the events of a group. */
export type Growth = {
  isNew: boolean;
  /** How many events are kept in full. */
  kept: number;
  /** The bytes of the newest event, and those of the further events that were sent. */
  latest: number;
  further: number;
  /** The average bytes of the group's kept events if it has as many as it may have, so that a new one replaces another. */
  replaced: number | null;
};

/**
 * Estimates how many bytes events add to the database. An event that is not kept replaces the texts of the group's latest event,
 * and may be kept later as the newest of its release. It counts if it is larger than any earlier event of that group and
 * release that this process remembers.
 */
export class StoredBytes {
  readonly #largest = new RecentTexts<number>(MAX_REMEMBERED);

  add(group: string, release: string | null, { isNew, kept, latest, further, replaced }: Growth): number {
    const name = release === null ? group : `${group} ${release}`;
    const largest = this.#largest.get(name) ?? 0;
    if (latest > largest) this.#largest.set(name, latest);
    if (isNew) return GROUP_BYTES + latest + (kept > 1 ? further : 0);
    if (kept > 0) return Math.max(0, latest + (kept > 1 ? further : 0) - kept * (replaced ?? 0));
    return latest > FREE_BYTES ? Math.max(0, latest - largest) : 0;
  }
}

/** The bytes of the event's texts, without its additions. A release is stored in several tables. */
export function textBytes({ message, stack_trace, previous_exceptions, release }: ReadEvent): number {
  let bytes = Buffer.byteLength(message) + Buffer.byteLength(stack_trace) + 4 * (release?.length ?? 0);
  for (const previous of previous_exceptions)
    bytes += Buffer.byteLength(previous.message) + Buffer.byteLength(previous.stack_trace);
  return bytes;
}
