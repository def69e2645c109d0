import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import type * as pruning from "../../src/web/data/cache/prune-copies.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const CACHE = path.join(import.meta.dirname, "../../src/web/data/cache/prune-copies.ts");
const DAY_MS = 86_400_000;

/** The function as a script, because the built app has it inside of another file. */
const { outputFiles } = await build({
  entryPoints: [CACHE],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "pruning",
});

test("copies older than 14 days are deleted, and then the oldest until the others fit", async () => {
  const page = await site.open("/assets/none.txt", { keeps: true, as: null });
  await page.evaluate(`${outputFiles[0]?.text}; globalThis.pruning = pruning;`);
  const now = Date.now();
  const kept = await page.evaluate(
    async ([now, day]) => {
      const { pruneCopies } = (globalThis as unknown as { pruning: typeof pruning }).pruning;
      // Creates the database.
      await pruneCopies(0, now);
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open("signalbox");
        request.addEventListener("success", () => resolve(request.result));
      });
      const copies = () => database.transaction("copies", "readwrite").objectStore("copies");
      for (const [hash, age, bytes] of [
        ["new", 0, 400],
        ["older", 1, 400],
        ["over", 2, 400],
        ["small but older", 3, 1],
        ["two weeks", 15, 1],
      ] as const)
        copies().put({ hash, json: "", updated_at: 0, written_at: now - age * day, bytes });
      const hashes = () =>
        new Promise<IDBValidKey[]>((resolve) => {
          const request = copies().getAllKeys();
          request.addEventListener("success", () => resolve(request.result));
        });
      await pruneCopies(10_000, now);
      const young = await hashes();
      await pruneCopies(1_000, now);
      return [young, await hashes()];
    },
    [now, DAY_MS] as const,
  );
  assert.deepEqual(kept, [
    ["new", "older", "over", "small but older"],
    ["new", "older"],
  ]);
  await page.leave();
});
