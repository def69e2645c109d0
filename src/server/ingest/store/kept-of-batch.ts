import { bigintArray, textArray } from "../../db/binary-array.ts";
import { additionBytes, toKeptEvent, type KeptEvent } from "./kept-event.ts";
import type { KnownGroups } from "./known-groups.ts";
import type { ReadEvent } from "../read/read-event.ts";
import { textBytes } from "./stored-bytes.ts";
import type { Columns } from "./statement/columns.ts";
import { FIRST_EVENTS } from "./statement/kept-events.ts";

/** Further events of a group to keep from one batch. With the newest one, they stay below a group's limit of 100. */
const MAX_FURTHER = 98;

type BatchGroup = { events: ReadEvent[]; latest: ReadEvent; isOnlyCounted: boolean };
type Further = { n: number; place: number; isNewest: boolean; event: ReadEvent };

export type KeptOfBatch = {
  latest: Pick<Columns["batch"], LatestColumns>;
  further: Columns["batch_events"];
  furtherCount: number;
  /** The bytes of each group's newest event, and those of its further events. */
  sizes: { latest: number; further: number }[];
};
type LatestColumns =
  | "pseudonym"
  | "tags"
  | "additions"
  | "cut"
  | "is_release_kept"
  | "has_others"
  | "omits_first_events";

/**
 * The parameters for keeping events: the additions of each group's newest event, and further events, namely the first
 * ones of a group and the newest one of each other release.
 *
 * If a group gets events of several releases, every batch would write the newest event of each. While many events arrive,
 * a release's event is therefore replaced only every 30 seconds.
 */
export function keptOfBatch(
  groups: [identity: string, group: BatchGroup][],
  known: KnownGroups,
): KeptOfBatch {
  const isDue = (identity: string, { release }: ReadEvent) => known.isReleaseDue(identity, release);
  const further = groups.map(([identity, { events, isOnlyCounted }], n) =>
    furtherOf(isOnlyCounted ? [] : events, known.isPastFirst(identity), (event) =>
      isDue(identity, event),
    ).map((one): Further => ({
      n,
      ...one,
    })),
  );
  const written = further.map((events) => events.map((one) => ({ ...one, kept: toKeptEvent(one.event) })));
  const latest = groups.map(([, { latest, isOnlyCounted }]) =>
    isOnlyCounted ? toKeptEvent(latest, null) : toKeptEvent(latest),
  );
  const texts = (of: (event: KeptEvent) => string | null) => textArray(latest.map(of));
  return {
    latest: {
      pseudonym: texts(({ pseudonym }) => pseudonym),
      tags: texts(({ tags }) => tags),
      additions: texts(({ additions }) => additions),
      cut: texts(({ cut }) => cut && JSON.stringify(cut)),
      is_release_kept: bigintArray(
        groups.map(([identity, group]) => Number(!group.isOnlyCounted && isDue(identity, group.latest))),
      ),
      omits_first_events: bigintArray(
        groups.map(([identity, { events, isOnlyCounted }]) =>
          Number(!isOnlyCounted && events.length > 1 && known.isPastFirst(identity)),
        ),
      ),
      has_others: bigintArray(further.map((events) => Number(events.length > 0))),
    },
    further: furtherColumns(written.flat()),
    furtherCount: further.reduce((sum, events) => sum + events.length, 0),
    sizes: groups.map(([, group], n) => ({
      latest: textBytes(group.latest) + additionBytes(latest[n] as KeptEvent),
      further: sumOf(written[n] ?? [], ({ event, kept }) => textBytes(event) + additionBytes(kept)),
    })),
  };
}

/** The events of a group to keep besides its newest one. */
function furtherOf(
  events: ReadEvent[],
  isPastFirst: boolean,
  isDue: (event: ReadEvent) => boolean,
): Omit<Further, "n">[] {
  if (events.length <= 1) return [];
  const releases = new Set([events.at(-1)?.release]);
  const found: Omit<Further, "n">[] = [];
  for (const [index, event] of [...events.entries()].toReversed().slice(1)) {
    const isNewestSent = !releases.has(event.release);
    releases.add(event.release);
    const isFirst = !isPastFirst && index < FIRST_EVENTS;
    const isNewest = isNewestSent && found.length < MAX_FURTHER - FIRST_EVENTS && isDue(event);
    if (isFirst || isNewest) found.push({ place: index + 1, isNewest, event });
  }
  return found;
}

const sumOf = <Item>(items: Item[], of: (item: Item) => number) =>
  items.reduce((sum, item) => sum + of(item), 0);

function furtherColumns(further: (Further & { kept: KeptEvent })[]): Columns["batch_events"] {
  const texts = (of: (one: { event: ReadEvent; kept: KeptEvent }) => string | null) =>
    textArray(further.map(of));
  return {
    n: bigintArray(further.map(({ n }) => n)),
    place: bigintArray(further.map(({ place }) => place)),
    is_newest: bigintArray(further.map(({ isNewest }) => Number(isNewest))),
    event_id: texts(({ event }) => event.event_id),
    level: texts(({ event }) => event.level),
    release: texts(({ event }) => event.release),
    host: texts(({ event }) => event.host),
    pseudonym: texts(({ kept }) => kept.pseudonym),
    message: texts(({ kept, event }) => kept.cut?.message ?? event.message),
    stack_trace: texts(({ kept, event }) => kept.cut?.stack_trace ?? event.stack_trace),
    previous_exceptions: texts(
      ({ kept, event }) => kept.cut?.previous_exceptions ?? JSON.stringify(event.previous_exceptions),
    ),
    context: texts(({ event }) => event.context && JSON.stringify(event.context)),
    runtime_name: texts(({ event }) => event.runtime.name),
    runtime_version: texts(({ event }) => event.runtime.version),
    framework_name: texts(({ event }) => event.framework.name),
    framework_version: texts(({ event }) => event.framework.version),
    tags: texts(({ kept }) => kept.tags),
    additions: texts(({ kept }) => kept.additions),
  };
}
