import { cutCodePoints } from "../../../../shared/cut-code-points.ts";
import type { ComparedGroup, Comparison, GroupDifference } from "./comparison.ts";
import { nameOf, type OwnGroup } from "./own-groups.ts";
import type { PeerGroup } from "./peer-groups.ts";

/** A group there with those of ours that its latest event belongs to. */
export type MatchedGroup = PeerGroup & { here: OwnGroup[] };

type Groups = Pick<Comparison, "matched" | "only_there" | "only_here" | "different_counts" | "not_counted">;

/** Counts differ if the smaller one is less than this part of the other. */
const SAME = 0.95;

/**
 * Compares the groups of both servers. Groups there whose latest event belongs to no group of ours are matched by class and message
 * with those of ours that are left. Groups that belong together are compared by the sum of their events: one there may be one of ours
 * for each environment.
 */
export function compareGroups(there: MatchedGroup[], recent: OwnGroup[]): Groups {
  const matchedIds = new Set(there.flatMap(({ here }) => here.map(({ id }) => id)));
  const left = Map.groupBy(
    recent.filter(({ id }) => !matchedIds.has(id)),
    nameOf,
  );
  const pairs = there.map((peer) => ({
    ...peer,
    here: peer.here.length > 0 ? peer.here : (left.get(nameOf(peer.group)) ?? []),
  }));
  const matched = pairs.filter(({ here }) => here.length > 0);
  const all = new Set(matched.flatMap(({ here }) => here.map(({ id }) => id)));
  const clusters = [...Map.groupBy(matched, ({ here }) => here.map(({ id }) => id).join(",")).values()];
  const isCounted = (cluster: MatchedGroup[]) => cluster.every(({ count }) => count !== null);
  return {
    matched: matched.length,
    only_there: pairs.filter(({ here }) => here.length === 0).map(shownThere),
    only_here: recent.filter(({ id }) => !all.has(id)).map(shownHere),
    different_counts: clusters.filter(isCounted).map(differenceOf).filter(isDifferent),
    not_counted: clusters
      .filter((cluster) => !isCounted(cluster))
      .flatMap((cluster) => cluster.map(shownThere)),
  };
}

function differenceOf(cluster: MatchedGroup[]): GroupDifference {
  const there = cluster.map(shownThere);
  const here = (cluster[0]?.here ?? []).map(shownHere);
  const sum = (groups: ComparedGroup[]) => groups.reduce((total, { count }) => total + count, 0);
  return { there, here, count_there: sum(there), count_here: sum(here) };
}

const isDifferent = ({ count_there, count_here }: GroupDifference): boolean =>
  Math.min(count_there, count_here) < SAME * Math.max(count_there, count_here);

const shownThere = ({ group, count }: PeerGroup): ComparedGroup => ({
  id: group.ref.id,
  title: titleOf(group),
  count: count ?? group.occurrence_count,
  url: group.ref.url,
});

const shownHere = (group: OwnGroup): ComparedGroup => ({
  id: String(group.id),
  title: titleOf(group),
  count: group.count,
  url: null,
});

const TITLE_CHARACTERS = 200;

/** One line. */
function titleOf({ exception_class, message }: { exception_class: string; message: string }): string {
  const text = message === "" ? exception_class : `${exception_class}: ${message}`;
  return cutCodePoints(text.replaceAll(/\s+/g, " "), TITLE_CHARACTERS);
}
