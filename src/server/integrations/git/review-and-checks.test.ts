import assert from "node:assert/strict";
import { test } from "node:test";
import { openGit, type GitProject, type Payload } from "../../../../test/support/git.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const linkOf = async (git: GitProject) => {
  const { git_links } = await git.readIssue();
  assert.equal(git_links.length, 1);
  return git_links[0] as (typeof git_links)[number];
};
/** The request of GitHub at a later time. */
const at = (minute: number, change: (pull: Payload) => void) => (payload: Payload) => {
  payload.pull_request.updated_at = `2026-11-16T10:${String(minute).padStart(2, "0")}:00Z`;
  change(payload.pull_request);
};

test("changes requested stand before approvals, and these before requests for a review", async () => {
  const git = await openGit(t, workspace);
  await git.receive("pull_request");
  assert.equal((await linkOf(git)).review, null);
  await git.receive(
    "pull_request",
    at(1, (pull) => (pull.requested_reviewers = [{ login: "ada" }, { login: "linus" }])),
  );
  assert.equal((await linkOf(git)).review, "requested");
  const review = (login: string, state: string, minute: number) =>
    git.receive("pull_request_review", (payload) => {
      payload.review.user.login = login;
      payload.review.state = state;
      payload.review.submitted_at = `2026-11-16T10:${minute}:00Z`;
      payload.pull_request.updated_at = payload.review.submitted_at;
      payload.pull_request.requested_reviewers = [{ login: "linus" }];
    });
  await review("ada", "approved", 10);
  assert.equal((await linkOf(git)).review, "approved");
  await review("linus", "changes_requested", 20);
  assert.equal((await linkOf(git)).review, "changes_requested");
  await review("linus", "commented", 21);
  assert.equal((await linkOf(git)).review, "changes_requested");
  await review("linus", "approved", 15);
  assert.equal((await linkOf(git)).review, "changes_requested", "an older review arrives late");
  await review("linus", "dismissed", 30);
  assert.equal((await linkOf(git)).review, "approved");
});

test("GitLab's reviewers and approvals are the review of a merge request", async () => {
  const git = await openGit(t, workspace, { host: "gitlab" });
  const receive = (minute: number, state: string, action = "update") =>
    git.receive("merge_request", (payload) => {
      payload.reviewers[0].state = state;
      payload.object_attributes.action = action;
      payload.object_attributes.updated_at = `2026-11-16 10:${minute}:00 UTC`;
    });
  await receive(10, "unreviewed");
  assert.equal((await linkOf(git)).review, "requested");
  await receive(11, "requested_changes");
  assert.equal((await linkOf(git)).review, "changes_requested");
  await receive(12, "approved");
  assert.equal((await linkOf(git)).review, "approved");
  await receive(13, "unapproved");
  assert.equal((await linkOf(git)).review, null);
  await receive(14, "reviewed", "approved");
  assert.equal((await linkOf(git)).review, "approved", "someone who is no reviewer approves");
});

test("Gitea's reviews and workflow runs are shown with the request", async () => {
  const git = await openGit(t, workspace, { host: "gitea" });
  await git.receive("workflow_run");
  await git.receive("pull_request");
  assert.equal((await linkOf(git)).checks, "passing");
  await git.receive("pull_request_approved");
  assert.equal((await linkOf(git)).review, "approved");
  await git.receive("workflow_run", ({ workflow_run }) => {
    workflow_run.id = 43;
    workflow_run.conclusion = "failure";
  });
  assert.equal((await linkOf(git)).checks, "failing");
});

test("checks fail if the latest run of one failed, else are pending while one is unfinished", async () => {
  const git = await openGit(t, workspace);
  await git.receive("status");
  await git.receive("pull_request");
  assert.equal((await linkOf(git)).checks, "pending", "the check arrived before the request");
  await git.receive("check_suite", ({ check_suite }) => (check_suite.conclusion = "failure"));
  assert.equal((await linkOf(git)).checks, "failing");
  await git.receive("check_suite", ({ check_suite }) => (check_suite.updated_at = "2026-11-16T09:20:00Z"));
  assert.equal((await linkOf(git)).checks, "pending");
  await git.receive("status", (status) => {
    status.id++;
    status.state = "success";
  });
  assert.equal((await linkOf(git)).checks, "passing");
  await git.receive("check_suite", ({ check_suite }) => (check_suite.conclusion = "failure"));
  assert.equal((await linkOf(git)).checks, "passing", "the older run arrives late");
});

test("a new head has no checks yet", async () => {
  const git = await openGit(t, workspace);
  await git.receive("pull_request");
  await git.receive("check_suite");
  assert.equal((await linkOf(git)).checks, "passing");
  await git.receive(
    "pull_request",
    at(20, (pull) => (pull.head.sha = "f".repeat(40))),
  );
  assert.equal((await linkOf(git)).checks, null);
});

test("GitLab's pipelines are the checks of a commit and of a request", async () => {
  const git = await openGit(t, workspace, { host: "gitlab" });
  await git.receive("merge_request");
  await git.receive("pipeline", ({ object_attributes: run }) => {
    run.status = "running";
    run.finished_at = null;
  });
  assert.equal((await linkOf(git)).checks, "pending");
  await git.receive("pipeline", ({ object_attributes: run }) => (run.status = "failed"));
  assert.equal((await linkOf(git)).checks, "failing");
  await git.receive("pipeline", ({ object_attributes: run }) => run.id++);
  assert.equal((await linkOf(git)).checks, "passing");
});
