import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { addArtifact } from "../../../../test/support/source-maps.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ReleaseMapping } from "../../../shared/source-maps.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const HOST = "https://shop.example/assets";

/** A project with two errors in release 1.0 and one in 2.0. */
async function openWithErrors() {
  const project = await openProject(t, workspace);
  const send = (release: string, fingerprint: string, ...files: string[]) =>
    project.send({
      release,
      fingerprint: [fingerprint],
      stack_trace: ["Error: broken", ...files.map((file, n) => `    at e (${file}:1:${n + 1})`)].join("\n"),
    });
  await send("1.0", "a", `${HOST}/app.js`, `${HOST}/app.js?v=2`, "/srv/cart.ts");
  await send("1.0", "b", `${HOST}/app.js`, `${HOST}/vendor.js`);
  await send("2.0", "c", `${HOST}/new.js`);
  const read = async (version: string) =>
    project.admin.get(`/api/projects/${project.id}/releases/${version}/mapping`);
  return { ...project, read };
}

test("the files of a release's errors are listed with their maps, those with the most frames first", async () => {
  const { id, read } = await openWithErrors();
  const artifact_id = await addArtifact(t, id, { release: "1.0", name: "~/assets/app.js.map", content: {} });
  await addArtifact(t, id, { release: "1.0", name: "~/static/vendor.js.map", content: {} });
  const mapping = (await read("1.0")).body as ReleaseMapping;
  assert.equal(mapping.events, 2);
  const [app, vendor, ...more] = mapping.files;
  assert.deepEqual(app, { name: "~/assets/app.js", frames: 3, debug_id: null, artifact_id, unmapped: null });
  assert.deepEqual([vendor?.name, vendor?.frames, vendor?.artifact_id], ["~/assets/vendor.js", 1, null]);
  assert.equal(vendor?.unmapped?.reason, "file_not_found");
  assert.equal(vendor?.unmapped?.nearest, "~/static/vendor.js.map");
  assert.deepEqual(more, []);
});

test("a file with a debug id is listed with it", async () => {
  const { id, read, send } = await openWithErrors();
  const debug_id = randomUUID();
  await send({
    release: "3.0",
    stack_trace: `    at e (${HOST}/app.js:1:1)`,
    debug_meta: { images: [{ type: "sourcemap", code_file: `${HOST}/app.js`, debug_id }] },
  });
  const unknown = ((await read("3.0")).body as ReleaseMapping).files[0];
  assert.deepEqual([unknown?.debug_id, unknown?.unmapped?.reason], [debug_id, "unknown_debug_id"]);
  const artifact_id = await addArtifact(t, id, { debugId: debug_id, name: "~/x.js.map", content: {} });
  assert.equal(((await read("3.0")).body as ReleaseMapping).files[0]?.artifact_id, artifact_id);
});

test("an unknown release is 404", async () => {
  const { read } = await openWithErrors();
  assert.equal((await read("9.9")).status, 404);
});

test("files of a server are listed only if they are likely to be minified, or the release has maps", async () => {
  const { id, read, send } = await openWithErrors();
  const stack_trace = "Error: broken\n    at e (/srv/app.js:10:5)\n    at f (/srv/bundle.js:1:90210)";
  await send({ release: "4.0", stack_trace });
  const names = async () => ((await read("4.0")).body as ReleaseMapping).files.map(({ name }) => name);
  assert.deepEqual(await names(), ["~/srv/bundle.js"]);
  await addArtifact(t, id, { release: "4.0", name: "~/srv/other.js.map", content: {} });
  assert.deepEqual((await names()).toSorted(), ["~/srv/app.js", "~/srv/bundle.js"]);
});
