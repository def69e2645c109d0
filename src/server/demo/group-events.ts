import { readEvent, type ReadEvent, type ReadingOptions } from "../ingest/read/read-event.ts";
import type { EventDraft } from "./error-events.ts";
import { exampleAdditions, storyAdditions } from "./event-additions.ts";
import type { History } from "./error-group-history.ts";
import type { Random } from "./samples/seeded-random.ts";
import { FIRST_EVENTS } from "../ingest/store/statement/kept-events.ts";

/** An event that is kept in full, and when it was received. */
export type DemoEvent = { event_id: string; at: number; event: ReadEvent };

/**
 * Some events of a group, oldest first: the first one, the last one, and others in between. A story has ten, others up to
 * four. Releases, hosts and users are those of the group's history at that time.
 */
export function makeGroupEvents(
  draft: EventDraft,
  history: History,
  options: ReadingOptions,
  random: Random,
): DemoEvent[] {
  const count = Math.min(history.total, draft.story ? FIRST_EVENTS : random.integer(1, 4));
  return timesOf(history, count, random).map((at) => {
    const event_id = makeId(random);
    const body = {
      ...draft.body,
      event_id,
      release: releaseAt(history, at),
      host: history.hosts.length > 0 ? random.pick(history.hosts).name : null,
      user_hash: history.users.length > 0 ? random.pick(history.users).hash.toString("hex") : null,
      ...(draft.story ? storyAdditions(draft.story, at, random) : exampleAdditions(draft, at, random)),
    };
    return { event_id, at, event: readEvent(Buffer.from(JSON.stringify(body)), options) };
  });
}

function timesOf({ first, last }: History, count: number, random: Random): number[] {
  if (count === 1) return [last];
  const step = (last - first) / (count - 1);
  const between = Array.from(
    { length: count - 2 },
    (_, index) => first + Math.floor((index + 1 + 0.6 * random.fraction()) * step),
  );
  return [first, ...between, last];
}

const releaseAt = ({ releases }: History, at: number): string | null =>
  (releases.findLast(({ first }) => first <= at) ?? releases[0])?.name ?? null;

const makeId = (random: Random): string =>
  Array.from({ length: 4 }, () =>
    random
      .integer(0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
