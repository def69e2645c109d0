import type { ErrorGroup, ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { LaneKind } from "../../shared/lanes.ts";
import type { FixRelease } from "../../shared/releases.ts";
import type { GitLink } from "../../shared/git.ts";
import { gitSteps, type PlannedStep, releaseOf } from "./git-steps.ts";

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
  /** The commits and requests that name the issue or the error. */
  links?: readonly GitLink[];
};

export type Step = {
  name: string;
  at: string | null;
  state: "done" | "current" | "ahead" | "failed";
  release?: string;
};

const OPEN = 0;
const RESOLVED = 1;

/**
 * The steps from a report to its verified fix. Those before the furthest one that was reached count as done. Steps that cannot be
 * reached are left out: verification needs an error, and both need releases. So is the work on a closed issue, because it may have
 * been skipped. An issue that a regression has reopened says so. With commits or requests, their steps replace those before the fix.
 */
export function stepsOf(course: Course): Step[] {
  const { reportedAt, issue, groups, release } = course;
  const closedAt = closedAtOf({ issue, groups });
  const reopened = reopenedBy({ issue, groups });
  const links = linksSince(course.links ?? [], reopened[0]?.at ?? null);
  const fix = closedAt !== null ? (release?.version ? release : releaseOf(links)) : undefined;
  const verifiedAt = latest(groups.map(({ verified_at }) => verified_at));
  const hasReleases = groups.some(({ last_release }) => last_release !== null);
  const isTriaged = groups.some(({ assignee_id }) => assignee_id !== null);

  const closed = { name: issue ? "Closed" : "Resolved", at: closedAt, reached: closedAt !== null };
  const steps: PlannedStep[] = [
    ...(links.length > 0
      ? gitSteps(links, closed)
      : [
          { name: "Reported", at: reportedAt, reached: true },
          { name: "Triaged", at: issue?.created_at ?? null, reached: issue !== undefined || isTriaged },
          ...reopened,
          ...(issue && issue.closed_at === null
            ? [{ name: "In progress", at: null, reached: issue.lane === "doing" }]
            : []),
          closed,
        ]),
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
  return steps.map((step, index) => ({
    name: step.name,
    at: index > furthest ? null : step.at,
    state: stateOf(step, index - furthest),
    ...(step.release !== undefined && { release: step.release }),
  }));
}

/** The state of a step that is `distance` steps after the furthest one that was reached. */
function stateOf({ reached, isIndependent, hasFailed }: PlannedStep, distance: number): Step["state"] {
  if (hasFailed) return "failed";
  if (distance === 0) return "current";
  return distance < 0 && (reached || !isIndependent) ? "done" : "ahead";
}

/** Commits and requests from before a regression did not fix the error. */
const linksSince = (links: readonly GitLink[], reopenedAt: string | null) =>
  links.filter(({ created_at }) => reopenedAt === null || Date.parse(created_at) > Date.parse(reopenedAt));

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
