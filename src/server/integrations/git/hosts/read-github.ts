import { z } from "zod";
import {
  branchOf,
  checkState,
  hash,
  longText,
  moment,
  oldestFirst,
  optionalHash,
  optionalText,
  pushedCommits,
  shortText,
  url,
  type GitEvent,
  type RequestState,
  type Review,
} from "./git-event.ts";

const repository = z.object({ full_name: shortText, default_branch: shortText });

const push = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  repository,
  commits: pushedCommits,
});

const people = z.array(z.unknown()).nullish();

const pull = z.object({
  number: z.int().positive(),
  title: longText,
  body: longText.nullish(),
  html_url: url,
  user: z.object({ login: optionalText }).nullish(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged_at: moment.nullish(),
  merge_commit_sha: optionalHash,
  head: z.object({ sha: hash }),
  base: z.object({ ref: z.string() }),
  requested_reviewers: people,
  requested_teams: people,
  created_at: moment,
  updated_at: moment,
});

export const pullRequest = z.object({ action: z.string().nullish(), repository, pull_request: pull });

const review = pullRequest.extend({
  review: z.object({
    state: z.string().transform((state) => state.toLowerCase()),
    submitted_at: moment.nullish(),
    user: z.object({ login: shortText }).nullish(),
  }),
});

const status = z.object({
  id: z.int(),
  sha: hash,
  context: shortText,
  state: z.string(),
  updated_at: moment.nullish(),
  repository,
});

const checkSuite = z.object({
  repository,
  check_suite: z.object({
    id: z.int(),
    head_sha: hash,
    status: z.string().nullish(),
    conclusion: z.string().nullish(),
    updated_at: moment.nullish(),
  }),
});

/** The events of GitHub that say something about commits, requests, reviews and checks. */
export const GITHUB_READERS: Record<string, (payload: unknown) => GitEvent | undefined> = {
  push: readPush,
  pull_request: (payload) => requestOf(pullRequest.parse(payload), []),
  pull_request_review: readReview,
  status: readStatus,
  check_suite: readCheckSuite,
};

function readPush(payload: unknown): GitEvent | undefined {
  const { ref, before, after, repository, commits } = push.parse(payload);
  const branch = branchOf(ref);
  if (branch === undefined) return undefined;
  return {
    kind: "push",
    repository: repository.full_name,
    isDefaultBranch: branch === repository.default_branch,
    before,
    after,
    commits: oldestFirst(commits, after),
  };
}

/** Gitea sends pull requests in the same form. */
export function requestOf(
  { action, repository, pull_request: pull }: z.output<typeof pullRequest>,
  reviews: Review[],
): GitEvent {
  const isMerged = pull.merged_at !== null && pull.merged_at !== undefined;
  const unmerged: RequestState = pull.state === "closed" ? "closed" : pull.draft === true ? "draft" : "open";
  return {
    kind: "request",
    repository: repository.full_name,
    ref: String(pull.number),
    title: pull.title,
    description: pull.body ?? "",
    url: pull.html_url,
    author_name: pull.user?.login ?? null,
    state: isMerged ? "merged" : unmerged,
    isOpened: action === "opened" || action === "reopened",
    isIntoDefaultBranch: pull.base.ref === repository.default_branch,
    head_hash: pull.head.sha,
    // Before the merge, GitHub names a commit that tests whether it is possible.
    merge_hash: isMerged ? pull.merge_commit_sha : null,
    is_review_requested: (pull.requested_reviewers?.length ?? 0) + (pull.requested_teams?.length ?? 0) > 0,
    reviews,
    created_at: pull.created_at,
    changed_at: pull.updated_at,
  };
}

/** A comment does not replace the reviewer's earlier review. */
function readReview(payload: unknown): GitEvent {
  const parsed = review.parse(payload);
  const { state, user, submitted_at } = parsed.review;
  const at = submitted_at ?? parsed.pull_request.updated_at;
  const isDecision = state === "approved" || state === "changes_requested";
  if (!user || (!isDecision && state !== "dismissed")) return requestOf(parsed, []);
  return requestOf(parsed, [{ reviewer: user.login, state: isDecision ? state : null, at }]);
}

function readStatus(payload: unknown): GitEvent {
  const { id, sha, context, state, updated_at, repository } = status.parse(payload);
  return {
    kind: "check",
    repository: repository.full_name,
    hash: sha,
    name: `status ${context}`,
    // Every status of a context has a new id.
    run: id,
    changed_at: updated_at ?? null,
    state: checkState(state),
  };
}

function readCheckSuite(payload: unknown): GitEvent {
  const { repository, check_suite: suite } = checkSuite.parse(payload);
  return {
    kind: "check",
    repository: repository.full_name,
    hash: suite.head_sha,
    // A commit has one suite for each app and workflow, which keeps its id when it runs again.
    name: `suite ${suite.id}`,
    run: suite.id,
    changed_at: suite.updated_at ?? null,
    state: suite.status === "completed" ? checkState(suite.conclusion) : "pending",
  };
}
