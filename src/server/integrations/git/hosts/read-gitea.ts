import { z } from "zod";
import { checkState, hash, moment, shortText, type GitEvent, type Review } from "./git-event.ts";
import { GITHUB_READERS, pullRequest, requestOf } from "./read-github.ts";

const review = pullRequest.extend({
  sender: z.object({ login: shortText }),
  review: z.object({ type: z.string() }).nullish(),
});

const REVIEWS: Record<string, Review["state"]> = {
  pull_request_review_approved: "approved",
  pull_request_review_rejected: "changes_requested",
};

const workflowRun = z.object({
  repository: z.object({ full_name: shortText }),
  workflow_run: z.object({
    id: z.int(),
    name: z.string().nullish(),
    path: z.string().nullish(),
    event: z.string().nullish(),
    head_sha: hash,
    run_attempt: z.int().nullish(),
    status: z.string(),
    conclusion: z.string().nullish(),
    updated_at: moment.nullish(),
  }),
});

/** Gitea and Forgejo send what GitHub sends, but reviews are events of their own, and checks are workflow runs. */
export const GITEA_READERS: Record<string, (payload: unknown) => GitEvent | undefined> = {
  ...GITHUB_READERS,
  pull_request_approved: readReview,
  pull_request_rejected: readReview,
  pull_request_review_approved: readReview,
  pull_request_review_rejected: readReview,
  workflow_run: readWorkflowRun,
};

/** The review has no time of its own. */
function readReview(payload: unknown): GitEvent {
  const parsed = review.parse(payload);
  const state = REVIEWS[parsed.review?.type ?? ""];
  const at = parsed.pull_request.updated_at;
  return requestOf(parsed, state ? [{ reviewer: parsed.sender.login, state, at }] : []);
}

function readWorkflowRun(payload: unknown): GitEvent {
  const { repository, workflow_run: run } = workflowRun.parse(payload);
  const name = `workflow ${run.path ?? run.name ?? ""} ${run.event ?? ""}`;
  return {
    kind: "check",
    repository: repository.full_name,
    hash: run.head_sha,
    name: name.slice(0, 255),
    run: run.id,
    changed_at: run.updated_at ?? null,
    state: run.status === "completed" ? checkState(run.conclusion ?? "success") : checkState(run.status),
  };
}
