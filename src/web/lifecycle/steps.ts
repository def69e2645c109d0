import type { ErrorGroup, ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { LaneKind } from "../../shared/lanes.ts";
import type { FixRelease } from "../../shared/releases.ts";

export type FixedGroup = Pick<
  ErrorGroupListItem,
  "status" | "assignee_id" | "last_release" | "resolved_at" | "verified_at" | "regressed_at"
> &
  Partial<Pick<ErrorGroup, "releases">>;

export type Course = {
  reportedAt: string;
  /** Undefined without an issue, or without the permission to read it. */
  issue?: { created_at: string; closed_at: string | null; lane: LaneKind | undefined } | undefined;
  /** The errors of the issue, or the one that has no issue. */
  groups: readonly FixedGroup[];
  /** The one with the fix, as far as it has loaded. */
  release?: FixRelease | undefined;
};

export type Step = { name: string; at: string | null; state: "done" | "current" | "ahead"; release?: string };

const OPEN = 0;
const RESOLVED = 1;

/**
 * The steps from a report to its verified fix. Those before the furthest one that was reached count as done. Steps that cannot be
 * reached are left out: verification needs an error, and both need releases. So is the work on a closed issue, because it may have
 * been skipped. An issue that a regression has reopened says so.
 */
export function stepsOf({ reportedAt, issue, groups, release }: Course): Step[] {
  const closedAt = closedAtOf({ issue, groups });
  const fix = closedAt !== null && release?.version ? release : undefined;
  const verifiedAt = latest(groups.map(({ verified_at }) => verified_at));
  const hasReleases = groups.some(({ last_release }) => last_release !== null);
  const isTriaged = groups.some(({ assignee_id }) => assignee_id !== null);

  const steps: (Omit<Step, "state"> & { reached: boolean })[] = [
    { name: "Reported", at: reportedAt, reached: true },
    { name: "Triaged", at: issue?.created_at ?? null, reached: issue !== undefined || isTriaged },
    ...reopenedBy({ issue, groups }),
    ...(issue && issue.closed_at === null
      ? [{ name: "In progress", at: null, reached: issue.lane === "doing" }]
      : []),
    { name: issue ? "Closed" : "Resolved", at: closedAt, reached: closedAt !== null },
    ...(hasReleases || fix || verifiedAt
      ? [
          {
            name: fix ? `Released in ${fix.version}` : "Released",
            at: fix?.first_seen_at ?? null,
            reached: fix !== undefined,
            ...(fix?.version && { release: fix.version }),
          },
        ]
      : []),
    ...(hasReleases || verifiedAt
      ? [{ name: "Verified", at: verifiedAt, reached: verifiedAt !== null }]
      : []),
  ];
  const furthest = steps.findLastIndex(({ reached }) => reached);
  return steps.map(({ name, at, release }, index) => ({
    name,
    at: index > furthest ? null : at,
    state: index < furthest ? "done" : index === furthest ? "current" : "ahead",
    ...(release !== undefined && { release }),
  }));
}

/** The last regression of one of the errors of an open issue. */
function reopenedBy({ issue, groups }: Pick<Course, "issue" | "groups">) {
  const [last] = groups
    .filter(
      ({ status, regressed_at: at }) =>
        issue?.closed_at === null &&
        status === OPEN &&
        at !== null &&
        Date.parse(at) > Date.parse(issue.created_at),
    )
    .toSorted((a, b) => Date.parse(b.regressed_at ?? "") - Date.parse(a.regressed_at ?? ""));
  if (last === undefined) return [];
  const release = regressedIn(last);
  return [
    {
      name: release === undefined ? "Reopened" : `Reopened by ${release}`,
      at: last.regressed_at,
      reached: true,
      ...(release !== undefined && { release }),
    },
  ];
}

/** The release that reopened the error, if that was its first event in the error. */
export const regressedIn = ({ regressed_at, releases }: Pick<FixedGroup, "regressed_at" | "releases">) =>
  releases?.find(({ first_seen_at }) => first_seen_at === regressed_at)?.release;

/** When the issue was closed, or all of the errors were resolved; null before that. */
export const closedAtOf = ({ issue, groups }: Pick<Course, "issue" | "groups">): string | null =>
  issue?.closed_at ?? latest(groups.map(resolvedAt));

const resolvedAt = (group: FixedGroup) => (group.status === RESOLVED ? group.resolved_at : null);

/** The latest of the moments; null if one is missing. */
function latest(moments: readonly (string | null)[]): string | null {
  if (moments.includes(null)) return null;
  return moments.toSorted((a, b) => Date.parse(a ?? "") - Date.parse(b ?? "")).at(-1) ?? null;
}
