import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { makeIngestKey, makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";

const folder = await mkdtemp(path.join(tmpdir(), "signalbox-widget-"));
const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-data-"));
const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
await write("widget.js", "first widget");
await write("crash.js", "crash dialog");
await write("form-ABCDEFG2.js", "first form");
let t = await openTestApp({ DATA_DIR: dataDir }, { widget: folder });
after(async () => {
  await t.close();
  for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  t.http.send({ method: "GET", url, headers });

for (const [url, text, cache] of [
  ["/widget.js", "first widget", "public, max-age=600"],
  ["/widget/form-ABCDEFG2.js", "first form", "public, max-age=31536000, immutable"],
] as const)
  test(`pages of any origin may load ${url}`, async () => {
    const answer = await get(url, { origin: "https://shop.example.com" });
    assert.deepEqual([answer.status, answer.text], [200, text]);
    assert.equal(answer.headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(answer.headers["cache-control"], cache);
    assert.equal(answer.headers["access-control-allow-origin"], "*");
    assert.equal(answer.headers["cross-origin-resource-policy"], "cross-origin");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
  });

for (const url of [
  "/widget/widget.js",
  "/widget/form.js",
  "/widget/form-ABCDEFG3.js",
  "/widget/..%2Fwidget.js",
])
  test(`other files are not served, and the 404 is not cached: ${url}`, async () => {
    const { status, headers } = await get(url);
    assert.deepEqual([status, headers["cache-control"]], [404, "no-store"]);
  });

test("after an upgrade, the files of the version before keep their addresses", async () => {
  await t.close();
  await write("widget.js", "second widget");
  await rm(path.join(folder, "form-ABCDEFG2.js"));
  await write("form-HIJKLMN3.js", "second form");
  t = await openTestApp({ DATA_DIR: dataDir }, { widget: folder });
  assert.equal((await get("/widget.js")).text, "second widget");
  assert.equal((await get("/widget/form-ABCDEFG2.js")).text, "first form");
  assert.equal((await get("/widget/form-HIJKLMN3.js")).text, "second form");
});

/** What Sentry's SDKs load for a new project. `dsn` makes the DSN from the project's id and key. */
async function loadDialog({
  dsn = (projectId, key) => `http://${key}@localhost:3000/${projectId}`,
  reports = true,
  key: options = {},
}: {
  dsn?: (projectId: number, key: string) => string;
  reports?: boolean;
  key?: Parameters<typeof makeIngestKey>[2];
} = {}) {
  const { id: workspaceId } = await makeWorkspace(t.db);
  await t.db
    .updateTable("workspaces")
    .set({ reports_enabled: reports })
    .where("id", "=", workspaceId)
    .execute();
  const { id } = await makeProject(t.db, workspaceId);
  const key = await makeIngestKey(t.db, id, options);
  const url = `/api/embed/error-page/?dsn=${dsn(id, key)}&eventId=dc75a869e5c84f488963e5796ce9176d`;
  return get(url, { origin: "https://shop.example.com" });
}

test("the crash dialog of a known DSN is a script for pages of any origin, which is not cached", async () => {
  const { status, text, headers } = await loadDialog();
  assert.deepEqual([status, text], [200, "crash dialog"]);
  assert.equal(headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
});

const refused: [string, Parameters<typeof loadDialog>[0]][] = [
  ["with an unknown key", { dsn: (id) => `http://${"0".repeat(32)}@localhost:3000/${id}` }],
  ["of another project", { dsn: (id, key) => `http://${key}@localhost:3000/${id}0` }],
  ["that is none", { dsn: () => "none" }],
  ["with a disabled key", { key: { active: false } }],
  ["whose key belongs to other pages", { key: { allowed_origins: ["https://blog.example.com"] } }],
  ["of a workspace without Reports", { reports: false }],
];
for (const [what, options] of refused)
  test(`the crash dialog of a DSN ${what} is a script that only warns`, async () => {
    const { status, text, headers } = await loadDialog(options);
    assert.equal(status, 200);
    assert.match(text, /^console\.warn\("[^"]+"\);\n$/);
    assert.equal(headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(headers["access-control-allow-origin"], "*");
  });
