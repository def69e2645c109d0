import assert from "node:assert/strict";
import { test } from "node:test";
import { openGit, type GitProject } from "../../../../test/support/git.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { RESOLVED } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const FIRST = "1481a2de7b2a7d02428ad93446ab166be7793fbb";
const SECOND = "a10867b14bb761a232cd80139fbd4c0d33264240";

const deploy = async (git: GitProject, version: string, more: object = {}) => {
  const made = await git.admin.post(`/api/projects/${git.id}/releases`, { version, ...more });
  assert.ok(made.status < 300, made.text);
};
/** The releases of the issue's links, by their references. */
const releasesOf = async (git: GitProject) =>
  Object.fromEntries((await git.readIssue()).git_links.map(({ ref, release }) => [ref.slice(0, 7), release]));

test("a deploy sets the release of its commit and of the commits before it, and a later deploy that of the rest", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push");
  await deploy(git, "1.0.0", { commit: FIRST.slice(0, 7).toUpperCase() });
  assert.deepEqual(await releasesOf(git), { [FIRST.slice(0, 7)]: "1.0.0", [SECOND.slice(0, 7)]: null });
  await deploy(git, "1.1.0", { commit: SECOND });
  assert.deepEqual(await releasesOf(git), { [FIRST.slice(0, 7)]: "1.0.0", [SECOND.slice(0, 7)]: "1.1.0" });
});

test("a deploy without a commit, or with one of another repository's, sets no release", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push");
  await deploy(git, "1.0.0");
  await deploy(git, "1.1.0", { commit: "b".repeat(40) });
  await deploy(git, "1.2.0", { commit: "main" });
  assert.deepEqual(new Set(Object.values(await releasesOf(git))), new Set([null]));
});

test("a merged request is released with the commit of its merge, whichever arrives first", async () => {
  const merge = async (git: GitProject) =>
    git.receive("pull_request", ({ pull_request }) => {
      pull_request.state = "closed";
      pull_request.merged_at = "2026-11-16T11:00:00Z";
      pull_request.merge_commit_sha = FIRST;
    });
  const before = await openGit(t, workspace);
  await merge(before);
  await before.receive("push");
  await deploy(before, "1.0.0", { commit: SECOND });
  assert.equal((await releasesOf(before))["128"], "1.0.0");
  const after = await openGit(t, workspace);
  await after.receive("push");
  await deploy(after, "1.0.0", { commit: SECOND });
  await merge(after);
  assert.equal((await releasesOf(after))["128"], "1.0.0");
});

test("a push that arrives after the deploy of its commit gets the release", async () => {
  const git = await openGit(t, workspace);
  await deploy(git, "1.0.0", { commit: SECOND });
  await git.receive("push");
  assert.deepEqual(new Set(Object.values(await releasesOf(git))), new Set(["1.0.0"]));
});

test("pushes that arrive in the wrong order are put in the order of the branch", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push", (push) => {
    push.before = FIRST;
    push.commits = [push.commits[1]];
  });
  await deploy(git, "1.0.0", { commit: SECOND });
  await git.receive("push", (push) => {
    push.after = FIRST;
    push.commits = [push.commits[0]];
  });
  assert.deepEqual(await releasesOf(git), { [FIRST.slice(0, 7)]: "1.0.0", [SECOND.slice(0, 7)]: "1.0.0" });
});

test("a deploy turns the next release of an error group into its release, once it contains the fix", async () => {
  const git = await openGit(t, workspace);
  const { id } = await git.first();
  await git.receive("push", (push) => {
    push.commits[0].message = `See SIGNALBOX-E${id}`;
    push.commits[1].message = `Fixes SIGNALBOX-E${id}`;
  });
  const resolvedIn = async () => {
    const group = await git.readGroup(id);
    assert.equal(group.status, RESOLVED);
    return group.resolved_in;
  };
  await deploy(git, "1.0.0", { commit: FIRST });
  assert.deepEqual(await resolvedIn(), { mode: "next_release", release: null });
  await deploy(git, "1.1.0", { commit: SECOND });
  assert.deepEqual(await resolvedIn(), { mode: "release", release: "1.1.0" });
});

test("a deploy names the release for an error group that was resolved with its issue", async () => {
  const git = await openGit(t, workspace);
  const { id } = await git.first();
  await git.admin.patch(`/api/projects/${git.id}`, { lifecycle: { close_resolves: true } });
  await git.admin.post(`${git.groups}/${id}/link`, { issue: git.issue.key });
  await git.receive("push");
  await deploy(git, "1.0.0", { commit: SECOND });
  assert.deepEqual((await git.readGroup(id)).resolved_in, { mode: "release", release: "1.0.0" });
});

test("the commit that a Sentry client names for a release counts for its deploys", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push");
  const refs = [{ repository: "acme/shop", commit: SECOND }];
  const named = await git.sender.post(`/api/0/projects/acme/${git.id}/releases/`, { version: "1.0.0", refs });
  assert.equal(named.status, 201, named.text);
  assert.deepEqual(new Set(Object.values(await releasesOf(git))), new Set([null]));
  await deploy(git, "1.0.0");
  assert.deepEqual(new Set(Object.values(await releasesOf(git))), new Set(["1.0.0"]));
});
