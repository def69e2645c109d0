import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openKeptEvents } from "../../../../test/support/kept-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { addArtifact, addDebugImages } from "../../../../test/support/source-maps.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const SOURCE = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`).join("\n");

/** Line 1, column 1 is line 10, column 1 of the source, with the name `total`. Column 21 has no original. */
const MAP = {
  version: 3,
  sources: ["../src/cart.ts"],
  sourcesContent: [SOURCE],
  names: ["total"],
  mappings: "AASAA,oB",
};

const FILE = "https://shop.example/assets/app.4f1d2c.js";
const NAME = "~/assets/app.4f1d2c.js";

const frameAt = (column: number, file = FILE) => ({ function: "e", filename: file, line: 1, column });

/** A project with an event with these frames. */
async function openWithEvent(event: { frames: object[]; release?: string; stack_trace?: string }) {
  const kept = await openKeptEvents(t, workspace);
  await kept.send({ stack_trace: "    at e (https://shop.example/a.js:1:1)", ...event });
  const readFrames = async () => (await kept.read("latest")).frames;
  const add = (
    artifact: Omit<Parameters<typeof addArtifact>[2], "content"> & { content?: string | object },
  ) => addArtifact(t, kept.id, { content: MAP, ...artifact });
  const reasonOf = async () => {
    const [frame] = await readFrames();
    return frame?.unmapped?.reason;
  };
  return { ...kept, add, readFrames, reasonOf };
}

const inRelease = (frames: object[] = [frameAt(1)]) => openWithEvent({ frames, release: "1.0" });

const ORIGINAL = {
  filename: "src/cart.ts",
  line: 10,
  column: 1,
  function: null,
  context_line: "line 10",
  pre_context: ["line 5", "line 6", "line 7", "line 8", "line 9"],
  post_context: ["line 11", "line 12", "line 13", "line 14", "line 15"],
};

test("a frame keeps what was sent and gains the original place with five lines around it", async () => {
  const { add, readFrames } = await inRelease();
  await add({ release: "1.0", name: `${NAME}.map` });
  assert.deepEqual(await readFrames(), [{ ...frameAt(1), original: ORIGINAL }]);
});

test("a map that is uploaded after the event maps it", async () => {
  const { add, readFrames, reasonOf } = await inRelease();
  assert.equal(await reasonOf(), "no_map_for_release");
  await add({ release: "1.0", name: `${NAME}.map` });
  assert.deepEqual((await readFrames())[0]?.original, ORIGINAL);
});

test("a debug id finds the map without a release, and before a map of the same name", async () => {
  const { id, add, readFrames } = await inRelease();
  const debugId = randomUUID();
  await add({ release: "1.0", name: `${NAME}.map`, content: { ...MAP, sources: ["other.ts"] } });
  await add({ debugId, name: "~/any.js.map" });
  await addDebugImages(t, id, [{ code_file: FILE, debug_id: debugId }]);
  assert.equal((await readFrames())[0]?.original?.filename, "src/cart.ts");
});

test("a stack trace without sent frames is mapped", async () => {
  const { add, readFrames } = await openWithEvent({
    release: "1.0",
    frames: [],
    stack_trace: `Error: broken\n    at e (${FILE}:1:1)\n    at Array.map (<anonymous>)`,
  });
  await add({ release: "1.0", name: `${NAME}.map` });
  const frames = await readFrames();
  assert.deepEqual(frames[0]?.original, ORIGINAL);
  assert.deepEqual(frames[1], { function: "Array.map", in_app: false });
});

test("frames of other languages, of the runtime and of TypeScript have neither field", async () => {
  const { readFrames } = await inRelease([
    { filename: "app/Cart.php", line: 3, column: 2 },
    { filename: "node:internal/timers", line: 3, column: 2 },
    { filename: "/srv/src/cart.ts", line: 3, column: 2 },
    { filename: FILE, line: 3 },
  ]);
  for (const frame of await readFrames())
    assert.deepEqual([frame.original, frame.unmapped], [undefined, undefined], frame.filename);
});

test("an event without a release and debug ids is no_release", async () => {
  const { reasonOf } = await openWithEvent({ frames: [frameAt(1)] });
  assert.equal(await reasonOf(), "no_release");
});

test("a debug id without a map is unknown_debug_id, unless the release has a map of that name", async () => {
  const { id, add, readFrames, reasonOf } = await inRelease();
  const debugId = randomUUID();
  await addDebugImages(t, id, [{ code_file: FILE, debug_id: debugId }]);
  assert.equal(await reasonOf(), "unknown_debug_id");
  assert.ok((await readFrames())[0]?.unmapped?.message.includes(debugId));
  await add({ release: "1.0", name: `${NAME}.map` });
  assert.equal(await reasonOf(), undefined);
});

test("a file without a map in a release with maps is file_not_found, with the nearest name", async () => {
  const { add, readFrames } = await inRelease();
  await add({ release: "1.0", name: "~/assets/other.js.map" });
  await add({ release: "1.0", name: "~/assets/app.99ab3e.js.map" });
  const unmapped = (await readFrames())[0]?.unmapped;
  assert.equal(unmapped?.reason, "file_not_found");
  assert.equal(unmapped?.nearest, "~/assets/app.99ab3e.js.map");
  assert.ok(unmapped?.message.includes(NAME));
});

test("a map whose file is missing in the store is file_not_found", async () => {
  const { id, add, reasonOf } = await inRelease();
  await add({ release: "1.0", name: `${NAME}.map` });
  const { storage_key } = await t.db
    .selectFrom("artifact_files")
    .select("storage_key")
    .where("project_id", "=", id)
    .executeTakeFirstOrThrow();
  await t.storage.remove(storage_key);
  assert.equal(await reasonOf(), "file_not_found");
});

for (const [what, content] of Object.entries({
  "is not JSON": "{",
  "is empty": "",
  "is a list": [],
  "has sources that are not a list": { ...MAP, sources: { "0": "a.ts" } },
  "has no mappings": { ...MAP, mappings: undefined },
  "has sections without an offset": { version: 3, sections: [{ map: MAP }] },
}))
  test(`a map that ${what} is invalid_map`, async () => {
    const { add, reasonOf } = await inRelease();
    await add({ release: "1.0", name: `${NAME}.map`, content });
    assert.equal(await reasonOf(), "invalid_map");
  });

test("a position without original code is position_not_in_map", async () => {
  const { add, readFrames } = await inRelease([frameAt(21), { ...frameAt(1), line: 7 }]);
  await add({ release: "1.0", name: `${NAME}.map` });
  const frames = await readFrames();
  assert.deepEqual(
    frames.map(({ unmapped }) => unmapped?.reason),
    ["position_not_in_map", "position_not_in_map"],
  );
  assert.ok(frames[1]?.unmapped?.message.includes("line 7, column 1"));
});

test("a map with more values than fit into the memory is too_slow", async () => {
  const { add, reasonOf } = await inRelease();
  await add({ release: "1.0", name: `${NAME}.map`, content: { ...MAP, names: Array(2_000_001).fill(0) } });
  assert.equal(await reasonOf(), "too_slow");
});

test("a map without the text of the source is source_missing next to the original place", async () => {
  const { add, readFrames } = await inRelease();
  await add({ release: "1.0", name: `${NAME}.map`, content: { ...MAP, sourcesContent: undefined } });
  const [frame] = await readFrames();
  const none = { context_line: null, pre_context: [], post_context: [] };
  assert.deepEqual(frame?.original, { ...ORIGINAL, ...none });
  assert.equal(frame?.unmapped?.reason, "source_missing");
});

test("an uploaded source supplies the text that the map lacks", async () => {
  const { add, readFrames } = await inRelease();
  await add({ release: "1.0", name: `${NAME}.map`, content: { ...MAP, sourcesContent: undefined } });
  await add({ release: "1.0", name: "~/src/cart.ts", content: SOURCE });
  const [frame] = await readFrames();
  assert.deepEqual(frame?.original?.pre_context, ORIGINAL.pre_context);
  assert.equal(frame?.unmapped, undefined);
});
