import assert from "node:assert/strict";
import { test } from "node:test";
import { openGit, type GitProject, type Payload } from "../../../../test/support/git.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Issue } from "../../../shared/issues.ts";
import { IGNORED, OPEN, RESOLVED } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const laneKind = async (git: GitProject) => {
  const { lane_id } = await git.readIssue();
  return (await t.db.selectFrom("lanes").select("kind").where("id", "=", lane_id).executeTakeFirstOrThrow())
    .kind;
};
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
const merge = (pull: Payload) => {
  pull.state = "closed";
  pull.merged_at = "2026-11-16T11:00:00Z";
  pull.merge_commit_sha = "1481a2de7b2a7d02428ad93446ab166be7793fbb";
};
const groupNamed = async (git: GitProject) => (await git.first({ message: "The cart is empty" })).id;

for (const host of ["github", "gitlab", "gitea"] as const) {
  test(`a push to the default branch of ${host} links its commits and closes what they name with a keyword`, async () => {
    const git = await openGit(t, workspace, { host });
    await git.receive("push");
    const issue = await git.readIssue();
    assert.notEqual(issue.closed_at, null);
    assert.equal(await laneKind(git), "done");
    const [first, second] = issue.git_links;
    assert.ok(first && second);
    const { url, ref, created_at, ...link } = first;
    assert.deepEqual(link, {
      kind: "commit",
      host,
      repository: "acme/shop",
      title: "Check the cart before the payment",
      author_name: "Grace Hopper",
      state: null,
      review: null,
      checks: null,
      release: null,
    });
    assert.ok(url.endsWith(ref));
    assert.equal(Date.parse(created_at), Date.parse("2026-11-16T09:15:00Z"));
    assert.equal(second.title, `Log the coupon (${git.issue.key})`);
  });

  test(`an open request of ${host} links, and closes what it names when it is merged`, async () => {
    const git = await openGit(t, workspace, { host });
    const name = host === "gitlab" ? "merge_request" : "pull_request";
    await git.receive(name);
    const { kind, ref, state, author_name } = await linkOf(git);
    assert.deepEqual([kind, ref, state], ["request", "128", "open"]);
    assert.equal(author_name, host === "gitlab" ? "Grace Hopper" : "grace");
    assert.equal((await git.readIssue()).closed_at, null);
    await git.receive(name, (payload) => {
      const request = payload.pull_request ?? payload.object_attributes;
      payload.action = "closed";
      request.action = "merge";
      request.state = host === "gitlab" ? "merged" : "closed";
      request.merged_at = host === "gitlab" ? undefined : "2026-11-16T11:00:00Z";
      request.updated_at = "2026-11-16T11:00:00Z";
    });
    assert.equal((await linkOf(git)).state, "merged");
    assert.notEqual((await git.readIssue()).closed_at, null);
  });
}

test("closing by a commit has no actor, and tells the watchers", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push");
  const activity = (await git.admin.get(`/api/projects/${git.id}/issues/${git.issue.id}/activity`)).body.data;
  const moved = activity.find(({ kind }: { kind: string }) => kind === "lane_id");
  assert.equal(moved.actor_id, null);
  const inbox = await git.admin.get("/api/notifications");
  assert.match(inbox.text, new RegExp(`A commit moved ${git.issue.key}`));
});

test("a push to another branch links only", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push", (push) => (push.ref = "refs/heads/cart"));
  const issue = await git.readIssue();
  assert.equal(issue.git_links.length, 2);
  assert.equal(issue.closed_at, null);
});

test("a commit that was linked from a branch closes the issue once it is on the default branch, and only then", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push", (push) => (push.ref = "refs/heads/cart"));
  await git.receive("push");
  assert.notEqual((await git.readIssue()).closed_at, null);
  const { lane_id } = git.issue;
  await git.admin.patch(`/api/projects/${git.id}/issues/${git.issue.id}`, { lane_id });
  await git.receive("push");
  const issue = await git.readIssue();
  assert.equal(issue.closed_at, null, "a second push of the commit does not close the reopened issue");
  assert.equal(issue.git_links.length, 2);
});

test("a request into another branch does not close what it names", async () => {
  const git = await openGit(t, workspace);
  await git.receive(
    "pull_request",
    at(1, (pull) => {
      merge(pull);
      pull.base.ref = "release-4";
    }),
  );
  assert.equal((await linkOf(git)).state, "merged");
  assert.equal((await git.readIssue()).closed_at, null);
});

test("references to other projects are ignored", async () => {
  const git = await openGit(t, workspace);
  const other = await makeProject(t.db, workspace.id);
  const foreign = (await git.admin.post(`/api/projects/${other.id}/issues`, { title: "Elsewhere" })).body;
  await git.receive("push", (push) => {
    push.commits[0].message = `Fixes ${foreign.key}`;
  });
  const read = await git.admin.get(`/api/projects/${other.id}/issues/${foreign.id}`);
  assert.deepEqual([read.body.git_links, read.body.closed_at], [[], null]);
});

test("a keyword resolves an open or ignored error group in the next release, without an actor", async () => {
  for (const status of [OPEN, IGNORED]) {
    const git = await openGit(t, workspace);
    const id = await groupNamed(git);
    if (status === IGNORED) await git.admin.post(`${git.groups}/${id}/ignore`, {});
    await git.receive("push", (push) => (push.commits[0].message = `Fix SIGNALBOX-E${id}`));
    const group = await git.readGroup(id);
    assert.equal(group.status, RESOLVED);
    assert.deepEqual(group.resolved_in, { mode: "next_release", release: null });
    assert.equal(group.resolved_by_id, null);
    assert.equal(group.git_links.length, 1);
  }
});

test("a resolved error group stays as it was resolved", async () => {
  const git = await openGit(t, workspace);
  const id = await groupNamed(git);
  const resolved = (await git.admin.post(`${git.groups}/${id}/resolve`, {})).body;
  await git.receive("push", (push) => (push.commits[0].message = `Fix SIGNALBOX-E${id}`));
  const group = await git.readGroup(id);
  assert.equal(group.resolved_in, null);
  assert.equal(group.resolved_at, resolved.resolved_at);
});

test("closing an issue resolves its error groups if the project has that setting", async () => {
  const git = await openGit(t, workspace);
  const id = await groupNamed(git);
  await git.admin.patch(`/api/projects/${git.id}`, { lifecycle: { close_resolves: true } });
  await git.admin.post(`${git.groups}/${id}/link`, { issue: git.issue.key });
  await git.receive("push");
  const group = await git.readGroup(id);
  assert.deepEqual([group.status, group.resolved_in?.mode], [RESOLVED, "next_release"]);
});

test("opening a request moves waiting issues to the lane for work in progress if the connection says so", async () => {
  const git = await openGit(t, workspace, { on_open: "doing" });
  assert.notEqual(await laneKind(git), "doing");
  await git.receive("pull_request", ({ pull_request }) => (pull_request.body = `Part of ${git.issue.key}`));
  assert.equal(await laneKind(git), "doing");
  const plain = await openGit(t, workspace);
  await plain.receive("pull_request");
  assert.notEqual(await laneKind(plain), "doing");
});

test("a closed issue stays closed when a request that names it is opened", async () => {
  const git = await openGit(t, workspace, { on_open: "doing" });
  await git.receive("push");
  await git.receive("pull_request");
  assert.equal(await laneKind(git), "done");
});

test("a merge that arrives before its push closes the issue, and the push links its commits", async () => {
  const git = await openGit(t, workspace);
  await git.receive("pull_request", at(5, merge));
  assert.notEqual((await git.readIssue()).closed_at, null);
  await git.receive("push");
  assert.equal((await git.readIssue()).git_links.length, 3);
});

test("an older delivery of a request changes nothing that a newer one said", async () => {
  const git = await openGit(t, workspace);
  await git.receive("pull_request", at(5, merge));
  await git.receive(
    "pull_request",
    at(1, (pull) => (pull.title = "An older title")),
  );
  const { state, title } = await linkOf(git);
  assert.deepEqual([state, title], ["merged", "Check the cart before the payment"]);
});

test("a request is a draft, open, closed or merged", async () => {
  const git = await openGit(t, workspace);
  for (const [minute, state, change] of [
    [1, "draft", (pull: Payload) => (pull.draft = true)],
    [2, "open", () => {}],
    [3, "closed", (pull: Payload) => (pull.state = "closed")],
    [4, "open", () => {}],
    [5, "merged", merge],
  ] as const) {
    await git.receive("pull_request", at(minute, change));
    assert.equal((await linkOf(git)).state, state);
  }
});

test("merging error groups keeps their links, and a reference to a merged one links its target", async () => {
  const git = await openGit(t, workspace);
  for (const line of [1, 2]) await git.send({ stack_trace: `#0 /app/src/Cart.php(${line}): pay${line}()` });
  const list = await git.admin.get(git.groups);
  const [target, source] = list.body.data.map(({ id }: { id: number }) => id) as [number, number];
  await git.receive("push", (push) => (push.commits[0].message = `See SIGNALBOX-E${source}`));
  const merged = await git.admin.post(`${git.groups}/${target}/merge`, { error_group_ids: [source] });
  assert.equal(merged.status, 200, merged.text);
  assert.equal((await git.readGroup(target)).git_links.length, 1);
  await git.receive("pull_request", ({ pull_request }) => (pull_request.body = `See SIGNALBOX-E${source}`));
  assert.equal((await git.readGroup(target)).git_links.length, 2);
});

test("pushed tags and deleted branches change nothing", async () => {
  const git = await openGit(t, workspace);
  await git.receive("push", (push) => (push.ref = "refs/tags/v1"));
  await git.receive("push", (push) => {
    push.after = "0".repeat(40);
    push.commits = [];
  });
  assert.deepEqual((await git.readIssue()).git_links, []);
});

test("a webhook that subscribed to it gets an event for each change of an issue's development", async () => {
  const git = await openGit(t, workspace);
  const { id } = await t.db
    .insertInto("webhooks")
    .values({
      workspace_id: workspace.id,
      project_id: git.id,
      url: "https://hooks.example.com/",
      events: ["issue.development_changed"],
      format: "signalbox",
      secret: Buffer.alloc(32),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await git.receive("pull_request");
  await git.receive("pull_request");
  await git.receive("check_suite");
  await git.receive("pull_request_review");
  const deliveries = await t.db
    .selectFrom("webhook_deliveries")
    .select("body")
    .where("webhook_id", "=", id)
    .orderBy("id")
    .execute();
  const bodies = deliveries.map(({ body }) => JSON.parse(body) as { actor: unknown; data: Issue });
  assert.deepEqual(
    bodies.map(({ data }) => [data.git_links[0]?.review, data.git_links[0]?.checks]),
    [
      [null, null],
      [null, "passing"],
      ["approved", "passing"],
    ],
  );
  assert.ok(bodies.every(({ actor, data }) => actor === null && data.key === git.issue.key));
});
