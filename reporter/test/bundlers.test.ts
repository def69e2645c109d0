import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import { recordingServer } from "./support/recording-server.ts";
import { runFile } from "./support/run-program.ts";

/** A service that is bundled. With OLD_NODE, it lacks what Node 18 lacks. */
const source = `
import { captureError, flush, init } from "@signalbox/reporter";
if (process.env.OLD_NODE) process.getBuiltinModule = undefined;
init();
captureError(new Error("captured"));
await flush();
setTimeout(() => { throw new Error("crashed"); });
`;

const folder = mkdtempSync(join(tmpdir(), "signalbox-bundlers-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const entry = join(folder, "main.mjs");
writeFileSync(entry, source);
writeFileSync(join(folder, "package.json"), '{ "name": "service", "version": "1.0.0" }');

// The newest versions, in one installation: the tests are about what bundlers change.
const packages = [
  "webpack",
  "@vercel/ncc",
  "rollup",
  "@rollup/plugin-node-resolve",
  "@rollup/plugin-commonjs",
];
await promisify(execFile)(
  "npm",
  ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", ...packages],
  { cwd: folder },
);
mkdirSync(join(folder, "node_modules/@signalbox"), { recursive: true });
symlinkSync(join(import.meta.dirname, ".."), join(folder, "node_modules/@signalbox/reporter"));
// eslint-disable-next-line typescript/no-explicit-any -- the packages are installed only here, so they have no types
const load = createRequire(entry) as (name: string) => any;

/** Bundles `entry` and returns the program's path. */
const bundlers: Record<string, () => Promise<string>> = {
  async webpack() {
    const output = {
      path: join(folder, "webpack"),
      filename: "main.mjs",
      module: true,
      chunkFormat: "module",
    };
    const experiments = { outputModule: true };
    const options = { entry, output, experiments, target: "node", mode: "production", context: folder };
    await promisify(load("webpack"))(options);
    return join(output.path, output.filename);
  },
  async ncc() {
    const { code } = await load("@vercel/ncc")(entry, { quiet: true, minify: true });
    mkdirSync(join(folder, "ncc"));
    writeFileSync(join(folder, "ncc/main.mjs"), code);
    return join(folder, "ncc/main.mjs");
  },
  async rollup() {
    const plugins = [load("@rollup/plugin-node-resolve").nodeResolve(), load("@rollup/plugin-commonjs")()];
    const bundle = await load("rollup").rollup({ input: entry, plugins, external: /^node:/ });
    await bundle.write({ file: join(folder, "rollup/main.mjs"), format: "es" });
    return join(folder, "rollup/main.mjs");
  },
  async esbuild() {
    const outfile = join(folder, "esbuild/main.mjs");
    const common = { bundle: true, minify: true, platform: "node", format: "esm" } as const;
    await esbuild.build({ ...common, entryPoints: [entry], outfile });
    return outfile;
  },
  async vite() {
    const { build } = await import("vite");
    const outDir = join(folder, "vite");
    const output = { entryFileNames: "main.mjs" };
    await build({
      root: folder,
      configFile: false,
      logLevel: "silent",
      build: { ssr: entry, outDir, minify: true, target: "es2022", rollupOptions: { output } },
      ssr: { noExternal: true },
    });
    return join(outDir, "main.mjs");
  },
};

for (const [name, bundle] of Object.entries(bundlers)) {
  test(`a program bundled by the newest ${name} reports its errors, in the current Node and in Node 18`, async () => {
    const program = await bundle();
    for (const env of [{}, { OLD_NODE: "1" }]) {
      await using server = await recordingServer();
      const result = await runFile(program, server, [], env);
      assert.equal(result.code, 1, result.stderr);
      assert.deepEqual(
        server.events().map((event) => event.message),
        ["captured", "crashed"],
        result.stderr,
      );
    }
  });
}
