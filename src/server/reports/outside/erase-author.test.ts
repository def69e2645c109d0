import assert from "node:assert/strict";
import { test } from "node:test";
import { openFeedback } from "../../../../test/support/feedback.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

test("erasing an author removes name and address, and nothing else of the report", async () => {
  const p = await openFeedback(t);
  await p.send({ description: "Hello", author_name: "Kim", author_email: "kim@example.com", kind: "idea" });
  const [before] = await p.list();
  assert.ok(before);
  const url = `${p.of(before)}/author`;
  for (const status of [204, 204]) assert.equal((await p.admin.delete(url)).status, status);
  const [after] = await p.list();
  assert.deepEqual(after, {
    ...before,
    author_name: null,
    author_email: null,
    author_email_confirmed: false,
    updated_at: after?.updated_at,
  });
  assert.ok(after && after.updated_at > before.updated_at);
});

test("erasing an author removes the name from their messages, which stay", async () => {
  const p = await openFeedback(t);
  const { body } = await p.send({ description: "Hello", author_name: "Kim" });
  const api = body.status_url.replace("http://localhost:3000/r/", "/api/r/");
  assert.equal((await t.http.post(`${api}/messages`, { content: "One more thing" })).status, 201);
  assert.equal((await p.admin.delete(`${p.of(body)}/author`)).status, 204);
  const { messages } = (await t.http.get(api)).body;
  assert.deepEqual(
    messages.map(({ name, content }: { name: string | null; content: string }) => [name, content]),
    [[null, "One more thing"]],
  );
});

test("erasing an author ends all subscriptions of the report", async () => {
  const p = await openFeedback(t);
  const { body } = await p.send({ description: "Hello", author_email: "kim@example.com" });
  const subscriptions = () =>
    t.db.selectFrom("report_subscriptions").select("email").where("report_id", "=", body.id).execute();
  assert.deepEqual(await subscriptions(), [{ email: "kim@example.com" }]);
  assert.equal((await p.admin.delete(`${p.of(body)}/author`)).status, 204);
  assert.deepEqual(await subscriptions(), []);
});

test("erasing an author requires Reports: Update, and the report of the project", async () => {
  const p = await openFeedback(t);
  const other = await openFeedback(t);
  await p.send({ description: "Hello", author_name: "Kim" });
  const [report] = await p.list();
  assert.ok(report);
  const { client } = await p.member("Reporter");
  assert.equal((await client.delete(`${p.of(report)}/author`)).status, 403);
  assert.equal((await other.admin.delete(`${other.of(report)}/author`)).status, 404);
  assert.equal((await p.list())[0]?.author_name, "Kim");
});
