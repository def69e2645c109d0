import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { build as buildWithEsbuild } from "esbuild";
import { build as buildWithVite } from "vite";
import { openKeptEvents } from "../../../../test/support/kept-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { addArtifact } from "../../../../test/support/source-maps.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const FOLDER = path.join(import.meta.dirname, "../../../../test/fixtures/minified-app");
const FILE = "https://shop.example/assets/app.js";

type Bundle = { code: string; map: string };

async function withEsbuild(): Promise<Bundle> {
  const { outputFiles } = await buildWithEsbuild({
    entryPoints: [path.join(FOLDER, "main.ts")],
    bundle: true,
    minify: true,
    sourcemap: "external",
    format: "iife",
    outfile: "app.js",
    write: false,
  });
  const [map, code] = outputFiles;
  return { code: code?.text ?? "", map: map?.text ?? "" };
}

async function withVite(): Promise<Bundle> {
  const result = await buildWithVite({
    root: FOLDER,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: true,
      sourcemap: true,
      lib: { entry: "main.ts", formats: ["iife"], name: "app" },
    },
  });
  const [chunk] = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  assert.ok(chunk?.type === "chunk" && chunk.map);
  return { code: chunk.code, map: JSON.stringify(chunk.map) };
}

/** The stack traces that the app throws, by what it attempts. */
async function runBundle({ code }: Bundle): Promise<Map<string, string>> {
  const traces = new Map<string, string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onError = (name: string, error: Error) => {
    traces.set(name, error.stack ?? "");
    if (traces.size === 4) resolve();
  };
  Object.assign(globalThis, { onError });
  vm.runInThisContext(code, { filename: FILE });
  await promise;
  return traces;
}

/** The newest frames of each trace, without those of the module: functions, files and lines. */
const THROWN = {
  method: [
    "priceOf prices.ts:6",
    "addTax prices.ts:12",
    "computeTotal cart.ts:14",
    "showTotal main.ts:30",
    "work main.ts:38",
    "attempt main.ts:12",
  ],
  callback: [
    "priceOf prices.ts:6",
    "addTax prices.ts:12",
    // Called by Array.prototype.map, which has no place in the code.
    "null cart.ts:18",
    "listPrices cart.ts:18",
    "work main.ts:35",
    "attempt main.ts:12",
  ],
  async: ["priceOf prices.ts:6", "addTax prices.ts:12", "computeTotal cart.ts:14", "loadTotal cart.ts:23"],
  constructor: ["#check cart.ts:10", "Cart cart.ts:7", "work main.ts:41", "attempt main.ts:12"],
};

for (const [bundler, build] of Object.entries({ esbuild: withEsbuild, Vite: withVite }))
  test(`a minified bundle of ${bundler} is mapped to the original functions, files and lines`, async () => {
    const bundle = await build();
    const traces = await runBundle(bundle);
    const kept = await openKeptEvents(t, workspace);
    await addArtifact(t, kept.id, { release: "1.0", name: "~/assets/app.js.map", content: bundle.map });
    for (const [name, expected] of Object.entries(THROWN)) {
      const stack_trace = traces.get(name) ?? "";
      await kept.send({ release: "1.0", stack_trace, fingerprint: ["app"] });
      const { frames } = await kept.read("latest");
      const mapped = frames.flatMap(({ original }) => (original ? [original] : []));
      assert.deepEqual(
        mapped
          .slice(0, expected.length)
          .map((one) => `${one.function} ${path.basename(one.filename)}:${one.line}`),
        expected,
        `${name}: ${stack_trace}`,
      );
      assert.ok(mapped.every(({ context_line }) => context_line !== null));
    }
  });
