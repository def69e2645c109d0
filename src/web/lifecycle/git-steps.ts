import type { GitLink } from "../../shared/git.ts";

/** A step before it is known how far the fix has come. */
export type PlannedStep = {
  name: string;
  at: string | null;
  reached: boolean;
  release?: string;
  /** Counts as done only if it was reached itself: a review may still be missing when the checks have passed. */
  isIndependent?: true;
  hasFailed?: true;
};

/**
 * The steps of the commits and requests that name an issue: branch, review, checks, merged. A merge usually closes the issue, so
 * `closed` is left out unless one of the two happened without the other. What a merged request skipped is left out, too.
 */
export function gitSteps(links: readonly GitLink[], closed: PlannedStep): PlannedStep[] {
  const request = currentRequest(links);
  const branch = { name: "Branch", at: links[0]?.created_at ?? null, reached: true };
  if (request === undefined) return [branch, ...checksOf(links.at(-1), true), closed];
  const isMerged = request.state === "merged";
  const merged: PlannedStep = { name: "Merged", at: closed.at, reached: isMerged, isIndependent: true };
  return [
    branch,
    ...reviewOf(request, isMerged),
    ...checksOf(request, isMerged),
    merged,
    ...(isMerged === closed.reached ? [] : [closed]),
  ];
}

/** The newest open request, or else the newest merged one. Those that were closed without a merge do not count. */
const currentRequest = (links: readonly GitLink[]) =>
  links.findLast(({ state }) => state === "open" || state === "draft") ??
  links.findLast(({ state }) => state === "merged");

const REVIEWS = { requested: "In review", approved: "Approved", changes_requested: "Changes requested" };

function reviewOf({ review }: GitLink, isMerged: boolean): PlannedStep[] {
  if (isMerged && review !== "approved") return [];
  return [
    {
      name: review === null ? "Review" : REVIEWS[review],
      at: null,
      reached: review === "approved",
      isIndependent: true,
      ...(review === "changes_requested" && { hasFailed: true }),
    },
  ];
}

const CHECKS = { pending: "Checks running", passing: "Checks passed", failing: "Checks failed" };

function checksOf(link: GitLink | undefined, mayBeSkipped: boolean): PlannedStep[] {
  const checks = link?.checks ?? null;
  if (mayBeSkipped && checks !== "passing" && checks !== "failing") return [];
  return [
    {
      name: checks === null ? "Checks" : CHECKS[checks],
      at: null,
      reached: checks === "passing",
      isIndependent: true,
      ...(checks === "failing" && { hasFailed: true }),
    },
  ];
}

/** The release that contains one of the commits or requests. Its time is that of its deploy, which is not known here. */
export function releaseOf(links: readonly GitLink[]): { version: string; first_seen_at: null } | undefined {
  const version = links.findLast(({ release }) => release !== null)?.release;
  return typeof version === "string" ? { version, first_seen_at: null } : undefined;
}
