import { MAX_MOVED } from "../../../shared/merge-limits.ts";
import { countOf, exactCount } from "../../kit/count-text.ts";

type Merged = { id: number; affected_users: number | null };

/**
 * Why the groups cannot be merged into this one; undefined if they probably can. Only users are known here, of which there are
 * many more than releases and hosts.
 */
export function tooManyMoved(groups: readonly Merged[], targetId: number): string | undefined {
  const moved = groups.filter(({ id }) => id !== targetId).map(usersOf);
  const users = moved.reduce((sum, count) => sum + count, 0);
  if (users <= MAX_MOVED) return undefined;
  const others = moved.length === 1 ? "The other error has" : "The other errors have";
  const limit = `${others} ${countOf(users, "user")}, and a merge moves at most ${exactCount(MAX_MOVED)}.`;
  return largestOf(groups)?.id === targetId ? limit : `${limit} Merge into the error that has the most.`;
}

/** The group into which the others are best merged: the one with the most events, or with the most users if these are too many to move. */
export function suggestedTarget<Group extends Merged & { occurrence_count: number }>(
  groups: readonly Group[],
): Group | undefined {
  const [most] = groups.toSorted((a, b) => b.occurrence_count - a.occurrence_count);
  return most && tooManyMoved(groups, most.id) ? largestOf(groups) : most;
}

const usersOf = ({ affected_users }: Merged) => affected_users ?? 0;

const largestOf = <Group extends Merged>(groups: readonly Group[]): Group | undefined =>
  groups.toSorted((a, b) => usersOf(b) - usersOf(a))[0];
