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

const project = z.object({ path_with_namespace: shortText, default_branch: shortText.nullish() });
const person = z.object({ name: optionalText, username: optionalText });

const push = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  project,
  commits: pushedCommits,
});

const mergeRequest = z.object({
  project,
  user: person.nullish(),
  object_attributes: z.object({
    iid: z.int().positive(),
    title: longText,
    description: longText.nullish(),
    url,
    state: z.string(),
    draft: z.boolean().nullish(),
    work_in_progress: z.boolean().nullish(),
    target_branch: z.string(),
    last_commit: z.object({ id: hash }),
    merge_commit_sha: optionalHash,
    squash_commit_sha: optionalHash,
    action: z.string().nullish(),
    created_at: moment,
    updated_at: moment,
  }),
  reviewers: z.array(z.object({ username: shortText, state: z.string().nullish() })).nullish(),
});

const pipeline = z.object({
  project,
  object_attributes: z.object({
    id: z.int(),
    sha: hash,
    source: z.string().nullish(),
    status: z.string(),
    finished_at: moment.nullish(),
  }),
});

export const GITLAB_READERS: Record<string, (payload: unknown) => GitEvent | undefined> = {
  "Push Hook": readPush,
  "Merge Request Hook": readMergeRequest,
  "Pipeline Hook": readPipeline,
};

function readPush(payload: unknown): GitEvent | undefined {
  const { ref, before, after, project, commits } = push.parse(payload);
  const branch = branchOf(ref);
  if (branch === undefined) return undefined;
  return {
    kind: "push",
    repository: project.path_with_namespace,
    isDefaultBranch: branch === project.default_branch,
    before,
    after,
    commits: oldestFirst(commits, after),
  };
}

function readMergeRequest(payload: unknown): GitEvent {
  const { project, user, object_attributes: request, reviewers } = mergeRequest.parse(payload);
  const at = request.updated_at;
  const isDraft = request.draft ?? request.work_in_progress ?? false;
  const states: Record<string, RequestState> = { merged: "merged", closed: "closed" };
  const state = states[request.state] ?? (isDraft ? "draft" : "open");
  return {
    kind: "request",
    repository: project.path_with_namespace,
    ref: String(request.iid),
    title: request.title,
    description: request.description ?? "",
    url: request.url,
    // The payload names who acted; the author is known only when it is opened.
    author_name: request.action === "open" ? (user?.name ?? null) : null,
    state,
    isOpened: request.action === "open" || request.action === "reopen",
    isIntoDefaultBranch: request.target_branch === project.default_branch,
    head_hash: request.last_commit.id,
    merge_hash: state === "merged" ? (request.merge_commit_sha ?? request.squash_commit_sha) : null,
    is_review_requested: (reviewers ?? []).some((reviewer) => PENDING.has(reviewer.state ?? "unreviewed")),
    reviews: [...reviewsOf(reviewers ?? [], at), ...approvalOf(user?.username, request.action, at)],
    created_at: request.created_at,
    changed_at: at,
  };
}

/** States of reviewers who have not reviewed yet. */
const PENDING = new Set(["unreviewed", "review_started"]);

const DECISIONS: Record<string, Review["state"]> = {
  approved: "approved",
  requested_changes: "changes_requested",
  unapproved: null,
};

function reviewsOf(
  reviewers: { username: string; state?: string | null | undefined }[],
  at: string,
): Review[] {
  return reviewers.flatMap(({ username, state }) => {
    const decision = DECISIONS[state ?? ""];
    return decision === undefined ? [] : [{ reviewer: username, state: decision, at }];
  });
}

/** Anyone may approve, not only reviewers. */
function approvalOf(
  username: string | null | undefined,
  action: string | null | undefined,
  at: string,
): Review[] {
  if (!username) return [];
  if (action === "approved" || action === "approval") return [{ reviewer: username, state: "approved", at }];
  if (action === "unapproved" || action === "unapproval") return [{ reviewer: username, state: null, at }];
  return [];
}

function readPipeline(payload: unknown): GitEvent {
  const { project, object_attributes: run } = pipeline.parse(payload);
  return {
    kind: "check",
    repository: project.path_with_namespace,
    hash: run.sha,
    // A commit can have a pipeline of its branch and one of its request.
    name: run.source === "merge_request_event" ? "pipeline of the request" : "pipeline",
    run: run.id,
    changed_at: run.finished_at ?? null,
    state: checkState(run.status),
  };
}
