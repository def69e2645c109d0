import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { pino } from "pino";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { addArtifact } from "../../../../test/support/source-maps.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { SourceMapReader } from "../../source-maps/mapping/map-reader.ts";
import { explainMap, type PlaceToExplain } from "./explain-map.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const reader = new SourceMapReader(t.storage, pino({ level: "silent" }));
after(() => reader.close());

const MAP = {
  version: 3,
  sources: ["src/cart.ts"],
  sourcesContent: ["one\ntwo\nthree"],
  names: [],
  mappings: "AACA",
};
const PLACE = "https://shop.example/assets/app.js:1:1";

async function openProject() {
  const { id } = await makeProject(t.db, workspace.id);
  const { key } = await t.db
    .selectFrom("projects")
    .select("key")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const explain = (more: Partial<PlaceToExplain> = {}) =>
    explainMap({ db: t.db, reader }, { project: key, place: PLACE, ...more });
  return { id, key, explain };
}

const ROOT = path.join(import.meta.dirname, "../../../..");

/** `npm run signalbox -- explain-map`, as an administrator runs it beside the server. */
const runWithNpm = (...args: string[]) =>
  promisify(execFile)("npm", ["run", "--silent", "signalbox", "--", "explain-map", ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: t.database.url, DATA_DIR: t.dataDir },
  });

test("a mapped place is shown with the lines around it and how its map was found", async () => {
  const { id, explain } = await openProject();
  await addArtifact(t, id, { release: "1.4.2", name: "~/assets/app.js.map", content: MAP });
  assert.deepEqual(await explain({ release: "1.4.2" }), {
    isMapped: true,
    lines: [
      "File: ~/assets/app.js",
      "Debug id: none given",
      "Release: 1.4.2, looked for ~/assets/app.js.map",
      "Source map: ~/assets/app.js.map",
      "",
      "src/cart.ts:2:1",
      "  1 | one",
      "> 2 | two",
      "  3 | three",
    ],
  });
});

test("a debug id finds the map without a release", async () => {
  const { id, explain } = await openProject();
  const debugId = randomUUID();
  await addArtifact(t, id, { debugId, name: "~/any.js.map", content: MAP });
  const { isMapped, lines } = await explain({ debugId });
  assert.equal(isMapped, true);
  assert.equal(lines[1], `Debug id: ${debugId}, found`);
});

test("a place that is not mapped is shown with the reason, what to do, and the nearest name", async () => {
  const { id, explain } = await openProject();
  await addArtifact(t, id, { release: "1.4.2", name: "~/static/app.js.map", content: MAP });
  const { isMapped, lines } = await explain({ release: "1.4.2" });
  assert.equal(isMapped, false);
  assert.ok(lines.includes("Not mapped: file_not_found"));
  assert.ok(lines.includes("Nearest name: ~/static/app.js.map"));
});

test("an unknown project, a place that is not in minified JavaScript, and an invalid debug id are refused", async () => {
  const { explain } = await openProject();
  for (const wrong of [{ project: "NONE0" }, { place: "app.js" }, { place: "app.ts:1:1" }, { debugId: "1" }])
    await assert.rejects(explain(wrong), { name: "Error" }, JSON.stringify(wrong));
});

test("the command prints the original code of a mapped place", async () => {
  const { id, key } = await openProject();
  await addArtifact(t, id, { release: "1.4.2", name: "~/assets/app.js.map", content: MAP });
  const { stdout } = await runWithNpm("--project", key, "--release", "1.4.2", PLACE);
  assert.deepEqual(stdout.trimEnd().split("\n").slice(-4), [
    "src/cart.ts:2:1",
    "  1 | one",
    "> 2 | two",
    "  3 | three",
  ]);
});

test("the command exits with 1 if the place is not mapped, and says what to do", async () => {
  const { key } = await openProject();
  const running = runWithNpm("--project", key, "--release", "1.4.2", PLACE);
  await assert.rejects(
    running,
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      assert.deepEqual([code, stderr], [1, ""]);
      assert.match(stdout, /Not mapped: no_map_for_release\n.*Upload/);
      return true;
    },
  );
});
