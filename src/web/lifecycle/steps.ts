import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { LaneKind } from "../../shared/lanes.ts";
import type { Release } from "../../shared/releases.ts";

export type FixedGroup = Pick<
  ErrorGroupListItem,
  "status" | "assignee_id" | "last_release" | "resolved_at" | "resolved_in" | "verified_at"
>;

type Seen = Pick<Release, "version" | "first_seen_at">;

export type Course = {
  reportedAt: string;
  /** Undefined without an issue, or without the permission to read it. */
  issue?: { created_at: string; closed_at: string | null; lane: LaneKind | undefined } | undefined;
  /** The errors of the issue, or the one that has no issue. */
  groups: readonly FixedGroup[];
  /** Newest first. */
  releases: readonly Seen[];
};

export type Step = { name: string; at: string | null; state: "done" | "current" | "ahead" };

const RESOLVED = 1;

/**
 * The steps from a report to its verified fix. Those before the furthest one that was reached count as done, even if they
 * were skipped. Steps that cannot be reached are left out: verification needs an error, and both need releases.
 */
export function stepsOf({ reportedAt, issue, groups, releases }: Course): Step[] {
  const closedAt = issue?.closed_at ?? latest(groups.map(resolvedAt));
  const fixes =
    groups.length > 0
      ? groups.map((group) => fixRelease(group, releases))
      : [closedAt === null ? undefined : firstSince(closedAt, releases)];
  const isReleased = closedAt !== null && fixes.every((fix) => fix !== undefined);
  const fix = isReleased ? fixes.toSorted((a, b) => byTime(a, b)).at(-1) : undefined;
  const verifiedAt = latest(groups.map(({ verified_at }) => verified_at));
  const hasReleases = groups.some(({ last_release }) => last_release !== null);
  const isTriaged = groups.some(({ assignee_id }) => assignee_id !== null);

  const steps = [
    { name: "Reported", at: reportedAt, reached: true },
    { name: "Triaged", at: issue?.created_at ?? null, reached: issue !== undefined || isTriaged },
    ...(issue ? [{ name: "In progress", at: null, reached: issue.lane === "doing" }] : []),
    { name: issue ? "Closed" : "Resolved", at: closedAt, reached: closedAt !== null },
    ...(hasReleases || fix || verifiedAt
      ? [
          {
            name: fix ? `Released in ${fix.version}` : "Released",
            at: fix?.first_seen_at ?? null,
            reached: fix !== undefined,
          },
        ]
      : []),
    ...(hasReleases || verifiedAt
      ? [{ name: "Verified", at: verifiedAt, reached: verifiedAt !== null }]
      : []),
  ];
  const furthest = steps.findLastIndex(({ reached }) => reached);
  return steps.map(({ name, at }, index) => ({
    name,
    at: index > furthest ? null : at,
    state: index < furthest ? "done" : index === furthest ? "current" : "ahead",
  }));
}

const resolvedAt = (group: FixedGroup) => (group.status === RESOLVED ? group.resolved_at : null);

/** The latest of the moments; null if one is missing. */
function latest(moments: readonly (string | null)[]): string | null {
  if (moments.includes(null)) return null;
  return moments.toSorted((a, b) => Date.parse(a ?? "") - Date.parse(b ?? "")).at(-1) ?? null;
}

/** The first release that has the group's fix; undefined if it is not resolved or no such release was seen yet. */
function fixRelease(group: FixedGroup, releases: readonly Seen[]): Seen | undefined {
  const at = resolvedAt(group);
  if (at === null) return undefined;
  const named = group.resolved_in?.release ?? null;
  if (named === null) return firstSince(at, releases);
  const index = releases.findIndex(({ version }) => version === named);
  return index === -1 ? undefined : earliest(releases.slice(0, index + 1));
}

/** The first release after the moment, without new versions of what was older than the latest release by then. */
function firstSince(moment: string, releases: readonly Seen[]): Seen | undefined {
  const wasSeen = ({ first_seen_at }: Seen) =>
    first_seen_at !== null && Date.parse(first_seen_at) <= Date.parse(moment);
  const index = releases.findIndex(wasSeen);
  return earliest(index === -1 ? releases : releases.slice(0, index));
}

const earliest = (releases: readonly Seen[]): Seen | undefined =>
  releases.filter(({ first_seen_at }) => first_seen_at !== null).toSorted(byTime)[0];

const byTime = (a: Seen | undefined, b: Seen | undefined) =>
  Date.parse(a?.first_seen_at ?? "") - Date.parse(b?.first_seen_at ?? "");
