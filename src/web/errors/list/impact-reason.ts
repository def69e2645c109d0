import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { compactCount, countOf } from "../../kit/count-text.ts";

const DAY_MS = 86_400_000;

type Fields = Pick<ErrorGroupListItem, "first_seen_at" | "regressed_at" | "last_seen_at" | "daily_counts">;

/** Whether the error was first seen within the last 24 hours. */
export const isNew = (group: Pick<Fields, "first_seen_at">, now: number) =>
  Date.parse(group.first_seen_at) > now - DAY_MS;

/** Why an error has its place in the order by impact, as the server computes it: in a word, and as a sentence. */
export function impactReason(group: Fields, now: number): { word: string; sentence: string } {
  const within = (at: string | null) => at !== null && Date.parse(at) > now - DAY_MS;
  const events = within(group.last_seen_at) ? eventsInDay(group.daily_counts, now) : 0;
  const counted = `${countOf(events, "event")} in 24 hours, and ten for each user`;
  if (isNew(group, now)) return { word: "New", sentence: `New errors come first for 24 hours. ${counted}` };
  if (within(group.regressed_at))
    return { word: "Regressed", sentence: `Regressed errors come first for 24 hours. ${counted}` };
  return { word: events === 0 ? "—" : `${compactCount(events)} in 24 h`, sentence: counted };
}

/** Events are counted by UTC day, so those of yesterday count by the part of it that belongs to the last 24 hours. */
function eventsInDay(daily: readonly number[], now: number): number {
  const [yesterday = 0, today = 0] = daily.slice(-2);
  return Math.round(today + yesterday * (1 - (now % DAY_MS) / DAY_MS));
}
