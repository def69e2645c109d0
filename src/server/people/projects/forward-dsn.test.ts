import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../../../../test/support/client.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({
  PUBLIC_URL: "https://signalbox.example.com",
  WEBHOOK_ALLOW: "errors.internal:8000",
});
const workspace = await makeWorkspace(t.db);

const DSN = "https://0123456789abcdef0123456789abcdef@errors.example.com/7";
const MASKED = "https://…cdef@errors.example.com/7";

test("reads show the DSN without its key, and a PATCH with what they show keeps it", async () => {
  const { id, admin } = await openProject(t, workspace);
  const url = `/api/projects/${id}`;
  assert.equal((await admin.patch(url, { forward_dsn: DSN })).body.forward_dsn, MASKED);
  assert.equal((await admin.get(url)).body.forward_dsn, MASKED);
  assert.equal((await admin.patch(url, { forward_dsn: MASKED })).status, 200);
  const stored = () =>
    t.db.selectFrom("projects").select("forward_dsn").where("id", "=", id).executeTakeFirstOrThrow();
  assert.equal((await stored()).forward_dsn, DSN);
  assert.equal((await admin.patch(url, { forward_dsn: null })).body.forward_dsn, null);
  assert.equal((await stored()).forward_dsn, null);
});

test("the list of projects has no DSN, and members without permission to update the project see none", async () => {
  const { id, admin } = await openProject(t, workspace);
  await admin.patch(`/api/projects/${id}`, { forward_dsn: DSN });
  const user = await makeMember(t.db, id, { role: { permissions: ["error-groups:read"] } });
  const member = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await member.get(`/api/projects/${id}`)).body.forward_dsn, null);
  assert.equal((await member.get("/api/projects")).text.includes("forward_dsn"), false);
  assert.equal((await member.get(`/api/projects/${id}/forwarding`)).status, 403);
});

test("the audit log says that the DSN changed, without its key", async () => {
  const { id, admin } = await openProject(t, workspace);
  await admin.patch(`/api/projects/${id}`, { forward_dsn: DSN });
  const log = await admin.get(`/api/workspaces/${workspace.id}/audit-events`);
  assert.match(log.text, /forward_dsn/);
  assert.equal(log.text.includes("0123456789abcdef"), false);
});

for (const dsn of [
  "not a DSN",
  "http://0123456789abcdef@errors.example.com/7",
  "https://0123456789abcdef@127.0.0.1/7",
  "https://0123456789abcdef@0x7f.1/7",
  "https://0123456789abcdef@[::ffff:10.0.0.1]/7",
  "http://0123456789abcdef@errors.internal:8001/7",
  "https://0123456789abcdef@signalbox.example.com/7",
  "https://0123456789abcdef@SIGNALBOX.example.com.:443/a/7",
  "https://key:secret@errors.example.com/7",
  "https://…cdef@other.example.com/7",
])
  test(`${dsn} is rejected`, async () => {
    const { id, admin } = await openProject(t, workspace);
    assert.deepEqual(refusalOf(await admin.patch(`/api/projects/${id}`, { forward_dsn: dsn })), [
      422,
      "forward_dsn",
    ]);
  });

test("a host of WEBHOOK_ALLOW may use http and a private address", async () => {
  const { id, admin } = await openProject(t, workspace);
  const answer = await admin.patch(`/api/projects/${id}`, {
    forward_dsn: "http://0123456789abcdef@errors.internal:8000/7",
  });
  assert.equal(answer.status, 200, answer.text);
});
