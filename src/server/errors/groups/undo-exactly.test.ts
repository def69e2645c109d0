import fc from "fast-check";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { TRACES } from "../../../../test/support/error-events.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { BULK_STATUS, openRegressed, readState, undo } from "../../../../test/support/undo.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const read = (project: TestProject) => readState(t, project);

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
        if ("status" in one)
          return project.admin.post(BULK_STATUS, { error_group_ids: ids, ...one, change_id });
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

test("undoing the resolution of a regressed group makes it regressed again, with its times and count", async () => {
  const { project, id } = await openRegressed(t, workspace);
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
