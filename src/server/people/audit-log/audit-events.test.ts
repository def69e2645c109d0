import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import {
  makePersonalToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { AUDIT_KINDS, AUDIT_SUBJECTS, type AuditEvent } from "../../../shared/audit.ts";
import { recordAudit, recordAudits } from "../../record/audit.ts";

const t = await useTestApp();

type Opened = { id: number; admin: TestUser; client: Client; url: string };

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const open = async (): Promise<Opened> => {
  const { id, admin } = await makeWorkspace(t.db);
  return { id, admin, client: await as(admin), url: `/api/workspaces/${id}/audit-events` };
};
const list = async ({ client, url }: Opened, filter = ""): Promise<AuditEvent[]> => {
  const answer = await client.get(`${url}?${filter}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const kinds = async (opened: Opened, filter = "") => (await list(opened, filter)).map(({ kind }) => kind);
const label = (workspace_id: number, id: number) =>
  ({ kind: "label.deleted", workspace_id, subject: { type: "label", id, name: `L${id}` } }) as const;

test("the log is newest first and has pages by cursor", async () => {
  const opened = await open();
  await recordAudits(
    t.db,
    [1, 2, 3, 4, 5].map((id) => label(opened.id, id)),
  );
  const seen: (number | undefined)[] = [];
  for (let cursor = ""; ;) {
    const { data, meta } = (await opened.client.get(`${opened.url}?kind=label&limit=2${cursor}`)).body;
    seen.push(...data.map((event: AuditEvent) => event.subject?.id));
    if (meta.next_cursor === null) break;
    cursor = `&cursor=${meta.next_cursor}`;
  }
  assert.deepEqual(seen, [5, 4, 3, 2, 1]);
});

test("an action without a signed-in user has no actor", async () => {
  const opened = await open();
  await recordAudit(t.db, { kind: "export.made", workspace_id: opened.id, details: { files: 2 } });
  const [event] = await list(opened, "kind=export.made");
  assert.ok(event);
  const { id, created_at, ...rest } = event;
  assert.deepEqual([typeof id, typeof created_at], ["number", "string"]);
  assert.deepEqual(rest, {
    kind: "export.made",
    actor: null,
    subject: null,
    details: { files: 2 },
    ip: null,
    user_agent: null,
  });
});

test("filters narrow by kind and its first part, by actor and by subject", async () => {
  const opened = await open();
  const other = await makeWorkspaceMember(t.db, opened.id);
  await recordAudits(t.db, [
    { ...label(opened.id, 7), actor_id: other.id },
    { ...label(opened.id, 8), actor_id: opened.admin.id },
    { kind: "lane.deleted", workspace_id: opened.id, subject: { type: "lane", id: 7 }, actor_id: other.id },
  ]);
  const subjects = async (filter: string) => (await list(opened, filter)).map(({ subject }) => subject?.id);
  assert.deepEqual(await kinds(opened, `actor_id=${other.id}`), ["lane.deleted", "label.deleted"]);
  assert.deepEqual(await subjects("kind=label"), [8, 7]);
  assert.deepEqual(await subjects("kind=label.deleted&subject_id=7"), [7]);
  assert.deepEqual(await kinds(opened, "subject_id=7"), ["lane.deleted", "label.deleted"]);
  assert.deepEqual(await kinds(opened, "subject_type=lane"), ["lane.deleted"]);
  assert.deepEqual(await kinds(opened, "kind=workspace"), ["workspace.created"]);
  assert.deepEqual(await kinds(opened, `kind=label&actor_id=${(await makeUser(t.db)).id}`), []);
  assert.equal((await list(opened, "kind=&actor_id=&since=")).length, (await list(opened)).length);
});

test("since is inclusive and until exclusive, except that a day in until is included", async () => {
  const opened = await open();
  await recordAudits(t.db, [label(opened.id, 1), label(opened.id, 2)]);
  const [second, first] = await list(opened, "kind=label");
  assert.ok(first && second);
  const ids = async (filter: string) =>
    (await list(opened, `kind=label&${filter}`)).map(({ subject }) => subject?.id);
  assert.deepEqual(await ids(`since=${first.created_at}`), [2, 1]);
  assert.deepEqual(await ids(`since=${second.created_at}`), [2]);
  assert.deepEqual(await ids(`until=${second.created_at}`), [1]);
  const [day, nextDay] = [first.created_at.slice(0, 10), second.created_at.slice(0, 10)];
  assert.deepEqual(await ids(`since=${day}&until=${nextDay}`), [2, 1]);
  assert.deepEqual(await ids("until=2020-01-01"), []);
  assert.deepEqual(await ids("since=9999-12-31"), []);
});

test("an invalid filter returns 422 on its field", async () => {
  const { client, url } = await open();
  for (const [field, values] of Object.entries({
    kind: ["nothing", "label.", "label%25", "LABEL", "label.deleted.", "."],
    actor_id: ["0", "-1", "me", "1.5", "9".repeat(20)],
    subject_type: ["labels", "constructor"],
    subject_id: ["0", "x"],
    since: ["yesterday", "2026-02-30", "0000-01-01", "2026-11-20T10:00:00"],
    until: ["2026-13-01", "9999-12-31", "1"],
    limit: ["0", "201", "x", "1e2"],
    cursor: ["x", "MA", "9".repeat(40)],
  }))
    for (const value of values) {
      const answer = await client.get(`${url}?${field}=${value}`);
      assert.equal(answer.status, 422, `${field}=${value} ${answer.text}`);
      assert.deepEqual(Object.keys(answer.body.errors), [field], value);
    }
  const twice = await client.get(`${url}?kind=label&kind=lane`);
  assert.deepEqual(Object.keys(twice.body.errors), ["kind"]);
});

test("only the workspace's own administrators read its log", async () => {
  const [opened, other] = [await open(), await open()];
  await recordAudit(t.db, label(opened.id, 1));
  const member = await as(await makeWorkspaceMember(t.db, opened.id));
  assert.equal((await t.http.get(opened.url)).status, 401);
  assert.equal((await member.get(opened.url)).status, 403);
  assert.equal((await other.client.get(opened.url)).status, 403);
  assert.equal((await other.client.get("/api/workspaces/999999/audit-events")).status, 404);
  assert.deepEqual(await kinds(other, "kind=label"), []);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    assert.equal((await opened.client.send({ method, url: opened.url })).status, 404, method);
});

test("account changes appear in each workspace the user belongs to at that time, and in no other", async () => {
  const [opened, second, third] = [await open(), await open(), await open()];
  const user = await makeWorkspaceMember(t.db, opened.id);
  await makeWorkspaceMember(t.db, second.id, { user });
  const action = { kind: "password.changed", account_id: user.id, actor_id: user.id } as const;
  await recordAudit(t.db, action);
  await makeWorkspaceMember(t.db, third.id, { user });
  await t.db.deleteFrom("workspace_members").where("user_id", "=", user.id).execute();
  await recordAudit(t.db, action);
  const shown = [];
  for (const one of [opened, second, third]) shown.push(await kinds(one, "kind=password"));
  assert.deepEqual(shown, [["password.changed"], ["password.changed"], []]);
});

test("every kind belongs to a group that can be filtered, and no kind has the name of a group", () => {
  assert.equal(new Set(AUDIT_KINDS).size, AUDIT_KINDS.length);
  assert.equal(new Set(AUDIT_SUBJECTS).size, AUDIT_SUBJECTS.length);
  for (const kind of AUDIT_KINDS) assert.match(kind, /^[a-z_]+\.[a-z_]+$/);
});
