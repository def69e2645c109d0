import assert from "node:assert/strict";
import { test } from "node:test";
import { writeTemporary } from "../../../../../test/support/import.ts";
import { readJsonObjects } from "./read-json-objects.ts";

async function readAll(content: string | Buffer) {
  const { file, remove } = await writeTemporary("list.json", content);
  try {
    const entries = [];
    for await (const entry of readJsonObjects(file))
      entries.push(entry.item === "object" ? entry.value : `${entry.where}: ${entry.reason}`);
    return entries;
  } finally {
    await remove();
  }
}

test("a list, lines of objects and lists behind each other are read alike", async () => {
  const expected = [{ a: '}{\\"' }, { b: [{ c: 1 }] }];
  assert.deepEqual(
    await readAll(`\uFEFF[${expected.map((value) => JSON.stringify(value)).join(" ,\n")}]`),
    expected,
  );
  assert.deepEqual(await readAll(expected.map((value) => JSON.stringify(value)).join("\n")), expected);
  assert.deepEqual(await readAll(expected.map((value) => JSON.stringify([value])).join("")), expected);
});

test("objects across the borders of chunks keep every character", async () => {
  const objects = Array.from({ length: 2_000 }, (_, n) => ({ n, text: "ä€😀".repeat(40) }));
  assert.deepEqual(await readAll(JSON.stringify(objects)), objects);
});

test("an object that is not JSON is left out", async () => {
  assert.deepEqual(await readAll('[{"a":1},{"b": oops},{"c":3}]'), [
    { a: 1 },
    "object 2: It is not valid JSON.",
    { c: 3 },
  ]);
});

test("the end of a file in the middle of an object, and text between objects", async () => {
  assert.deepEqual(await readAll('[{"a":1},{"b":"'), [
    { a: 1 },
    "object 2: The file ends in the middle of it.",
  ]);
  assert.deepEqual(await readAll('[{"a":1}, oops {"b":1}]'), [
    { a: 1 },
    "object 2: The file has other text here, so the rest is not read.",
  ]);
});

test("an object of more than 16 MiB is left out without keeping it", async () => {
  const large = Buffer.alloc(17 * 1_048_576, "x");
  assert.deepEqual(
    await readAll(Buffer.concat([Buffer.from('[{"a":"'), large, Buffer.from('"},{"b":1}]')])),
    ["object 1: It is larger than 16 MiB.", { b: 1 }],
  );
});

test("a file without objects is refused", async () => {
  await assert.rejects(readAll("<html>"), /not a JSON list of objects/);
  await assert.rejects(readAll("[]"), /no objects/);
});
