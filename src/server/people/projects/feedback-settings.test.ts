import assert from "node:assert/strict";
import { test } from "node:test";
import { DONE_MESSAGE, DONE_SUBJECT } from "../../../shared/feedback.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import { openReports } from "../../../../test/support/reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("a project starts with its form off and the default texts", async () => {
  const p = await openReports(t);
  const { body } = await p.admin.get(`/api/projects/${p.id}`);
  assert.deepEqual(body.feedback, {
    public_form: false,
    form_url: null,
    done_message: DONE_MESSAGE,
    done_subject: DONE_SUBJECT,
  });
});

test("a PATCH changes only the feedback settings that were sent, and null restores a text", async () => {
  const p = await openReports(t);
  const change = async (feedback: object) => {
    const { status, body } = await p.admin.patch(`/api/projects/${p.id}`, { feedback });
    assert.equal(status, 200);
    return body.feedback;
  };
  const on = await change({ public_form: true });
  assert.match(on.form_url, /^http:\/\/localhost:3000\/f\/[\w-]{22}$/);
  const texts = { done_subject: "Fixed in {release}", done_message: "{title} is fixed.\nBye" };
  assert.deepEqual(await change(texts), { ...on, ...texts });
  assert.deepEqual(await change({ public_form: true }), { ...on, ...texts });
  assert.deepEqual(await change({ done_message: null }), { ...on, ...texts, done_message: DONE_MESSAGE });
  assert.deepEqual(await change({}), { ...on, ...texts, done_message: DONE_MESSAGE });
  const { body } = await p.admin.get("/api/projects");
  assert.equal(body.data.find((project: { id: number }) => project.id === p.id).feedback.public_form, true);
});

test("wrong feedback settings return 422 on their field", async () => {
  const p = await openReports(t);
  for (const [feedback, field] of [
    ["on", "feedback"],
    [{ public_form: "yes" }, "feedback.public_form"],
    [{ done_subject: "two\nlines" }, "feedback.done_subject"],
    [{ done_subject: " " }, "feedback.done_subject"],
    [{ done_message: "x".repeat(2_001) }, "feedback.done_message"],
  ] as const)
    assert.deepEqual(refusalOf(await p.admin.patch(`/api/projects/${p.id}`, { feedback })), [422, field]);
});

test("the audit log names changed feedback settings and a new identity secret, without values", async () => {
  const p = await openReports(t);
  await p.admin.patch(`/api/projects/${p.id}`, { feedback: { public_form: true, done_subject: "Fixed" } });
  const { body } = await p.admin.post(`/api/projects/${p.id}/feedback/identity-secret`);
  assert.match(body.secret, /^[0-9a-f]{64}$/);
  const events = await t.db
    .selectFrom("audit_events")
    .select(["kind", "details"])
    .where("subject_type", "=", "project")
    .where("subject_id", "=", p.id)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    events.map(({ kind, details }) => [kind, (details as { fields?: string[] }).fields]),
    [
      ["project.changed", ["public_form", "done_subject"]],
      ["project.identity_secret_replaced", undefined],
    ],
  );
  assert.ok(!JSON.stringify(events).includes(body.secret));
});

test("feedback settings and the identity secret require project:update", async () => {
  const p = await openReports(t);
  const { client } = await p.member("Member");
  const url = `/api/projects/${p.id}`;
  assert.equal((await client.patch(url, { feedback: { public_form: true } })).status, 403);
  assert.equal((await client.post(`${url}/feedback/identity-secret`)).status, 403);
});
