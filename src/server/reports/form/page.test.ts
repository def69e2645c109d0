import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { openFeedback } from "../../../../test/support/feedback.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const folder = await mkdtemp(path.join(tmpdir(), "signalbox-widget-"));
after(() => rm(folder, { recursive: true, force: true }));
await writeFile(path.join(folder, "page-ABCDEFG2.js"), "the form");
const t = await useTestApp({}, { widget: folder });

async function openForm({ name = "Web shop" } = {}) {
  const project = await openFeedback(t);
  const feedback = { public_form: true };
  const { body } = await project.admin.patch(`/api/projects/${project.id}`, { name, feedback });
  return { project, path: new URL(body.feedback.form_url).pathname };
}

test("the page of a form names its project and may load only from this server", async () => {
  const { path } = await openForm();
  const { status, text, headers } = await t.http.get(path);
  assert.equal(status, 200);
  assert.match(text, /<h1>Send feedback to <bdi>Web shop<\/bdi><\/h1>/);
  assert.match(text, /<noscript>This form needs JavaScript\./);
  assert.match(text, /<script type="module" src="\/widget\/page-ABCDEFG2\.js"><\/script>/);
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["x-robots-tag"], "noindex");
  const policy = String(headers["content-security-policy"]);
  assert.match(
    policy,
    /^default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'sha256-/,
  );
  assert.match(policy, /frame-ancestors 'none'/);
});

test("HTML in the name of a project is text", async () => {
  const { path } = await openForm({ name: `<script>alert("1")</script>` });
  const { text } = await t.http.get(path);
  assert.doesNotMatch(text, /<script>/);
  assert.match(text, /&lt;script&gt;alert\(&quot;1&quot;\)/);
});

test("a form that is off, replaced, unknown or without Reports is one and the same 404 page", async () => {
  const { project, path } = await openForm();
  const unknown = await t.http.get("/f/0000000000000000000000");
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, /There is no form at this address/);
  const requireMissing = async (missing: string) => {
    const { status, text } = await t.http.get(missing);
    assert.deepEqual([status, text], [404, unknown.text]);
  };
  const set = (feedback: object) => project.admin.patch(`/api/projects/${project.id}`, { feedback });
  await set({ public_form: false });
  await requireMissing(path);
  const { body } = await set({ public_form: true });
  await requireMissing(path);
  const next = new URL(body.feedback.form_url).pathname;
  assert.equal((await t.http.get(next)).status, 200);
  await t.db
    .updateTable("workspaces")
    .set({ reports_enabled: false })
    .where("id", "=", project.workspaceId)
    .execute();
  await requireMissing(next);
});
