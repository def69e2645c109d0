import fc from "fast-check";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { TRACES } from "../../../../test/support/error-events.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const BULK = "/api/error-groups/bulk-status";
const undo = (client: Client, change_id: string) => client.post("/api/error-groups/undo", { change_id });

/** Everything that shows the state of a project's groups. */
async function read(project: TestProject) {
  const get = async (path: string) => (await project.admin.get(path)).body;
  const { data } = await get(project.groups);
  const groups = [];
  for (const { id } of data) {
    const { updated_at: _, ...group } = await get(`${project.groups}/${id}`);
    groups.push({
      ...group,
      activity: await get(`${project.groups}/${id}/activity`),
      watch: await get(`${project.groups}/${id}/watch`),
    });
  }
  const { rows } = await sql`
    select id, status, resolved_release, resolved_after_release, resolved_by_issue_id, regressed_release, snooze_ends_at,
      snooze_ends_count, snooze_users
    from error_groups where project_id = ${project.id} order by id`.execute(t.db);
  const { data: releases } = await get(`/api/projects/${project.id}/releases`);
  return { groups, rows, releases };
}

const release = fc.constantFrom("1.0.0", "1.1.0", "1.2.0", "2.0.0");
const change = fc.oneof(
  fc.record({ status: fc.constant(0) }),
  fc.record({ status: fc.constant(1) }),
  fc.record({ status: fc.constant(1), in: fc.constant("next_release") }),
  fc.record({ status: fc.constant(1), in: fc.record({ release }) }),
  fc.record({ status: fc.constant(2) }),
  fc.record({ status: fc.constant(2), until: fc.record({ occurrences: fc.constant(3) }) }),
  fc.record({ status: fc.constant(2), until: fc.record({ users: fc.constant(2), release }) }),
  fc.record({ assignee: fc.boolean() }),
  fc.record({ linked: fc.boolean() }),
  fc.record({ isClosing: fc.constant(true) }),
);
const step = fc.record({ event: fc.option(release), change, isUndone: fc.boolean() });

test("after any changes, undoing them in reverse order restores every field, the history and the releases", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
      const { project, issue, move } = await openClosing();
      await project.send({ release: "1.0.0", user: "a" });
      await project.send({ release: "1.1.0", stack_trace: TRACES.search });
      const ids = (await project.admin.get(project.groups)).body.data.map(({ id }: { id: number }) => id);
      await project.admin.post(`${project.groups}/${ids[1]}/link`, { issue: issue.id });
      const send = async (one: (typeof steps)[number]["change"], change_id: string) => {
        if ("isClosing" in one) return move("done");
        if ("status" in one) return project.admin.post(BULK, { error_group_ids: ids, ...one, change_id });
        const link = `${project.groups}/${ids[0]}/link`;
        if ("linked" in one)
          return one.linked
            ? project.admin.post(link, { issue: issue.id, change_id })
            : project.admin.delete(`${link}?change_id=${change_id}`);
        const assignee_id = one.assignee ? workspace.admin.id : null;
        return project.admin.post("/api/error-groups/bulk-assign", {
          error_group_ids: ids,
          assignee_id,
          change_id,
        });
      };
      // Changes that an event follows are not undone.
      let stack: Undoable[] = [];
      let isClosed = false;
      for (const { event, change: one, isUndone } of steps) {
        if (event !== null) {
          await project.send({ release: event, user: event });
          stack = [];
        }
        const id = randomUUID();
        const before = await read(project);
        const closes: boolean = "isClosing" in one && !isClosed;
        const reopen = async () => {
          assert.equal((await move("todo")).status, 200);
          isClosed = false;
        };
        stack.push({ id, before, reopen: closes ? reopen : undefined });
        assert.equal((await send(one, id)).status, 200);
        isClosed ||= closes;
        if (isUndone) await undoLast(project, stack);
      }
      while (stack.length > 0) await undoLast(project, stack);
    }),
    { numRuns: 12 },
  );
});

/** A change of error groups, or the closing of an issue, which is undone by reopening it. */
type Undoable = { id: string; before: unknown; reopen: (() => Promise<void>) | undefined };

async function undoLast(project: TestProject, stack: Undoable[]) {
  const last = stack.pop();
  assert.ok(last);
  if (last.reopen) await last.reopen();
  else {
    const answer = await undo(project.admin, last.id);
    if (answer.status === 404) assert.equal(answer.body.message, "There is no change that can be undone.");
    else assert.deepEqual([answer.status, answer.body.refused], [200, []], answer.text);
  }
  assert.deepEqual(await read(project), last.before);
}

/** A project in which closing the issue resolves its error groups. */
async function openClosing() {
  const project = await openProject(t, workspace);
  const { admin } = project;
  const p = `/api/projects/${project.id}`;
  await admin.patch(p, { lifecycle: { close_resolves: true } });
  const lanes = (await admin.get(`${p}/lanes`)).body.data as { id: number; kind: string }[];
  const issue = (await admin.post(`${p}/issues`, { title: "Fix it" })).body;
  const move = (kind: "todo" | "done", client = admin) => {
    const lane_id = lanes.find((lane) => lane.kind === kind)?.id;
    return client.patch(`${p}/issues/${issue.id}`, { lane_id });
  };
  return { project, issue, move };
}

/** A group that an event of 1.1.0 opened again. */
async function regressed(): Promise<{ project: TestProject; id: number }> {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  await project.admin.post(`${project.groups}/${id}/resolve`);
  await project.send({ release: "1.1.0" });
  return { project, id };
}

test("undoing the resolution of a regressed group makes it regressed again, with its times and count", async () => {
  const { project, id } = await regressed();
  const before = await read(project);
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  const answer = await undo(project.admin, change_id);
  const [group] = answer.body.data;
  assert.deepEqual([group.status, group.reopen_count, group.regressed_at !== null], [0, 1, true]);
  assert.deepEqual(await read(project), before);
});

/** A regressed group whose issue was then closed, and what was read before. */
async function closedIssueOfRegressed() {
  const { project, issue, move } = await openClosing();
  const { id } = await project.first({ release: "1.0.0" });
  await project.admin.post(`${project.groups}/${id}/link`, { issue: issue.id });
  await project.admin.post(`${project.groups}/${id}/resolve`);
  await project.send({ release: "1.1.0" });
  await project.admin.put(`${project.groups}/${id}/watch`, { watching: false });
  const before = await read(project);
  assert.equal((await move("done")).status, 200);
  assert.equal((await project.only()).status, 1);
  return { project, id, before, move };
}

test("reopening an issue that one has just closed makes its regressed group regressed again, in every field", async () => {
  const { project, before, move } = await closedIssueOfRegressed();
  await move("todo");
  assert.deepEqual(await read(project), before);
});

test("a group that an issue resolved is open, not regressed, if another person reopens the issue", async () => {
  const { project, move } = await closedIssueOfRegressed();
  const other = await makeMember(t.db, project.id);
  await move("todo", t.http.as(await makePersonalToken(t.db, other.id)));
  const group = await project.only();
  assert.deepEqual([group.status, group.regressed_at], [0, null]);
});

test("a group that an issue resolved is open, not regressed, if the issue is reopened after ten minutes", async () => {
  const { project, id, move } = await closedIssueOfRegressed();
  await sql`update error_group_undos set created_at = now() - interval '11 minutes' where group_id = ${id}`.execute(
    t.db,
  );
  await move("todo");
  const group = await project.only();
  assert.deepEqual([group.status, group.regressed_at], [0, null]);
});

test("undoing removes only the watch that the change added", async () => {
  const { project, id } = await regressed();
  const watch = `${project.groups}/${id}/watch`;
  const change_id = randomUUID();
  await project.admin.put(watch, { watching: false });
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  assert.equal((await project.admin.get(watch)).body.watching, true);
  await undo(project.admin, change_id);
  assert.equal((await project.admin.get(watch)).body.watching, false);
});

test("an undo leaves a group that an event has opened again, and says so", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  await project.send({ release: "1.2.0" });
  const before = await project.only();
  const answer = await undo(project.admin, change_id);
  assert.deepEqual(answer.body, { data: [], refused: [{ error_group_id: id, reason: "regressed" }] });
  assert.deepEqual(await project.only(), before);
});

test("an undo leaves a group that someone has changed since, even if they set the same status", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/ignore`, { change_id });
  await project.admin.post(`${project.groups}/${id}/reopen`);
  await project.admin.post(`${project.groups}/${id}/ignore`);
  const answer = await undo(project.admin, change_id);
  assert.deepEqual(answer.body.refused, [{ error_group_id: id, reason: "changed" }]);
});

test("a later assignment does not prevent the undo of a resolution", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  await project.admin.patch(`${project.groups}/${id}`, { assignee_id: workspace.admin.id });
  assert.deepEqual((await undo(project.admin, change_id)).body.refused, []);
  const group = await project.only();
  assert.deepEqual([group.status, group.assignee_id], [0, workspace.admin.id]);
});

test("a change can be undone once, by the person who made it, for ten minutes", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  const other = await makeMember(t.db, project.id);
  const client = t.http.as(await makePersonalToken(t.db, other.id));
  assert.equal((await undo(client, change_id)).status, 404);
  await sql`update error_group_undos set created_at = now() - interval '11 minutes'
    where change_id = ${change_id}`.execute(t.db);
  assert.equal((await undo(project.admin, change_id)).status, 404);
  await sql`update error_group_undos set created_at = now() - interval '9 minutes'
    where change_id = ${change_id}`.execute(t.db);
  assert.equal((await undo(project.admin, change_id)).status, 200);
  assert.equal((await undo(project.admin, change_id)).status, 404);
});

test("an expired change is deleted with the next change of its user", async () => {
  const { project, id } = await regressed();
  const expired = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id: expired });
  await sql`update error_group_undos set created_at = now() - interval '11 minutes'
    where change_id = ${expired}`.execute(t.db);
  await project.admin.post(`${project.groups}/${id}/reopen`, { change_id: randomUUID() });
  const { rows } = await sql`select from error_group_undos where change_id = ${expired}`.execute(t.db);
  assert.equal(rows.length, 0);
});

test("an undo leaves groups that the caller may no longer change", async () => {
  const [kept, lost] = [await regressed(), await regressed()];
  const member = await makeMember(t.db, kept.project.id);
  await makeMember(t.db, lost.project.id, { user: member });
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const change_id = randomUUID();
  await client.post(BULK, { error_group_ids: [kept.id, lost.id], status: 1, change_id });
  const removed = await lost.project.admin.delete(`/api/projects/${lost.project.id}/members/${member.id}`);
  assert.equal(removed.status, 204);
  const answer = await undo(client, change_id);
  assert.deepEqual(
    [answer.body.data.length, answer.body.refused],
    [1, [{ error_group_id: lost.id, reason: "not_permitted" }]],
  );
  assert.deepEqual([(await kept.project.only()).status, (await lost.project.only()).status], [0, 1]);
});

test("undoing an assignment withdraws the unread notification and notifies nobody", async () => {
  const { project, id } = await regressed();
  const [first, second] = [await makeMember(t.db, project.id), await makeMember(t.db, project.id)];
  const inbox = async (user: { id: number }) => {
    const client = t.http.as(await makePersonalToken(t.db, user.id));
    return (await client.get("/api/notifications?include=all")).body.length;
  };
  await project.admin.patch(`${project.groups}/${id}`, { assignee_id: first.id });
  const change_id = randomUUID();
  await project.admin.post("/api/error-groups/bulk-assign", {
    error_group_ids: [id],
    assignee_id: second.id,
    change_id,
  });
  assert.deepEqual([await inbox(first), await inbox(second)], [1, 1]);
  await undo(project.admin, change_id);
  assert.deepEqual([await inbox(first), await inbox(second)], [1, 0]);
  assert.equal((await project.only()).assignee_id, first.id);
});

test("an unlinked group is not linked again to an issue that was deleted since", async () => {
  const { project, id } = await regressed();
  const issue = (await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Fix it" })).body;
  await project.admin.post(`${project.groups}/${id}/link`, { issue: issue.id });
  const change_id = randomUUID();
  await project.admin.delete(`${project.groups}/${id}/link?change_id=${change_id}`);
  assert.equal((await project.admin.delete(`/api/projects/${project.id}/issues/${issue.id}`)).status, 204);
  const answer = await undo(project.admin, change_id);
  assert.deepEqual(answer.body.refused, [{ error_group_id: id, reason: "changed" }]);
});

test("an undo and an event that race leave the group regressed once, or as it was with one more event", async () => {
  for (let run = 0; run < 5; run++) {
    const { project, id } = await regressed();
    const change_id = randomUUID();
    await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
    const [answer] = await Promise.all([undo(project.admin, change_id), project.send({ release: "1.2.0" })]);
    const group = await project.only();
    assert.deepEqual(
      [group.status, group.reopen_count, group.occurrence_count],
      [0, answer.body.data.length === 1 ? 1 : 2, 3],
    );
  }
});

for (const first of ["undo", "resolution"])
  test(`a release stays if a resolution names it while an undo removes it, and the ${first} comes first`, async () => {
    const project = await openProject(t, workspace);
    await project.send({ release: "1.0.0" });
    await project.send({ release: "1.0.0", stack_trace: TRACES.search });
    const ids = (await project.admin.get(project.groups)).body.data.map((group: { id: number }) => group.id);
    const change_id = randomUUID();
    const resolve = (id: number) =>
      project.admin.post(`${project.groups}/${id}/resolve`, { in: { release: "3.0.0" }, change_id });
    await resolve(ids[0]);
    const requests = [
      () => undo(project.admin, change_id),
      () => project.admin.post(`${project.groups}/${ids[1]}/resolve`, { in: { release: "3.0.0" } }),
    ];
    if (first === "resolution") requests.reverse();
    const lock = `select from releases where project_id = ${project.id} and version = '3.0.0' for update`;
    await collide(t.database, lock, async (waiting) => {
      const sent = [];
      for (const request of requests) {
        sent.push(request());
        await waiting(sent.length);
      }
      return sent;
    });
    const { data } = (await project.admin.get(`/api/projects/${project.id}/releases`)).body;
    assert.deepEqual(
      data.map((one: { version: string; resolved_groups: number }) => [one.version, one.resolved_groups]),
      [
        ["3.0.0", 1],
        ["1.0.0", 0],
      ],
    );
  });
