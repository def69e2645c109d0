import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import type { Storage } from "../../files/storage/storage.ts";
import { SourceMapReader, type ArtifactFile } from "./map-reader.ts";

const MAP = { version: 3, sources: ["a.ts"], sourcesContent: ["let a;"], names: [], mappings: "AAAA" };

let fileId = 0;
const files = new Map<string, Buffer>();
const opened: string[] = [];
const storage = {
  open: async (key: string) => {
    opened.push(key);
    const file = files.get(key);
    return file && Readable.from([file.subarray(0, 10), file.subarray(10)]);
  },
} as unknown as Storage;

function openReader(maxMs: number) {
  const warnings: unknown[] = [];
  const reader = new SourceMapReader(storage, { warn: (line: unknown) => warnings.push(line) }, { maxMs });
  after(() => reader.close());
  const store = (map: object) => {
    const key = String(++fileId);
    const file = Buffer.from(JSON.stringify(map));
    files.set(key, file);
    return { file_id: fileId, storage_key: key, size: file.length };
  };
  const positions = [{ line: 1, column: 1, function: null }];
  const readArtifact = (artifact: ArtifactFile) =>
    reader.read(1, artifact, { type: "source_map", positions });
  return { store, readArtifact, read: (map: object) => readArtifact(store(map)), warnings };
}

const LARGE = { ...MAP, mappings: "AAAA,".repeat(3_000_000) };

test("a map that takes too much time is too_slow, and the next one is read by a new thread", async () => {
  const { read, warnings } = openReader(20);
  assert.deepEqual(await read(LARGE), { problem: "too_slow" });
  assert.ok("positions" in (await read(MAP)));
  assert.deepEqual(warnings, []);
});

test("a map that is read twice at once is loaded once", async () => {
  const { store, readArtifact } = openReader(10_000);
  const artifact = store(MAP);
  const answers = await Promise.all([readArtifact(artifact), readArtifact(artifact)]);
  assert.ok(answers.every((answer) => "positions" in answer));
  assert.deepEqual(
    opened.filter((key) => key === artifact.storage_key),
    [artifact.storage_key],
  );
});

test("a file whose size has changed is invalid, and one that is gone is missing", async () => {
  const { store, readArtifact, warnings } = openReader(10_000);
  const artifact = store(MAP);
  for (const size of [artifact.size - 1, artifact.size + 1])
    assert.deepEqual(await readArtifact({ ...artifact, size }), { problem: "invalid" });
  assert.deepEqual(await readArtifact({ ...artifact, storage_key: "gone" }), { problem: "missing" });
  assert.ok("positions" in (await readArtifact(artifact)));
  assert.deepEqual(warnings, []);
});

test("the thread has a lower priority than requests", { skip: process.platform !== "linux" }, async () => {
  const lowered = () => readdirSync("/proc/self/task").filter((id) => getPriority(Number(id)) === 10);
  const { read } = openReader(10_000);
  const before = lowered();
  await read(MAP);
  assert.equal(lowered().length, before.length + 1);
});
