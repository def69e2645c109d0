import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "esbuild";
import { injectDebugId } from "./support/inject-debug-id.ts";
import { openPage } from "./support/page.ts";
import { recordingServer } from "./support/recording-server.ts";
import { runFile } from "./support/run-program.ts";

const root = join(import.meta.dirname, "..");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-debug-images-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const log = false;

/** A debug id for each file, by its number. */
const idOf = (n: number) => `14b12530-3b5a-5d88-8ef4-${String(n).padStart(12, "0")}`;

/** Two entries that share a chunk, as which esbuild bundles the code of `load.js`. */
const program = (entry: string) => `
  import { init, captureError, flush } from "${entry}";
  import { load } from "load.js";
  init({ url: process.env.SIGNALBOX_URL, project: 7, token: "t", log: false });
  try { load(); } catch (error) { captureError(error); }
  await flush();`;
const files: Record<string, string> = {
  "load.js": 'export function load() { throw new Error("broken"); }',
  "other.js": 'import { load } from "load.js"; globalThis.load = load;',
};

for (const entry of ["@signalbox/reporter", "@signalbox/reporter/fetch"])
  test(`${entry}: the files of a bundle that are in the trace are sent with their debug ids`, async () => {
    const outdir = join(folder, entry.replaceAll("/", "-"));
    await build({
      entryPoints: ["main.js", "other.js"],
      outdir,
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      platform: "node",
      outExtension: { ".js": ".mjs" },
      plugins: [
        {
          name: "files",
          setup({ onLoad, onResolve }) {
            onResolve({ filter: /^\w+\.js$/ }, ({ path }) => ({ path, namespace: "files" }));
            onLoad({ filter: /./, namespace: "files" }, ({ path }) => ({
              contents: files[path] ?? program(entry),
              resolveDir: root,
            }));
          },
        },
      ],
    });
    const built = readdirSync(outdir).sort();
    for (const [n, name] of built.entries())
      writeFileSync(join(outdir, name), injectDebugId(readFileSync(join(outdir, name), "utf8"), idOf(n)));
    await using server = await recordingServer();
    const { code, stderr } = await runFile(join(outdir, "main.mjs"), server);
    assert.equal(code, 0, stderr);
    const [event] = server.events();
    const inTrace = built.filter((name) => event?.stack_trace.includes(`${join(outdir, name)}:`));
    assert.equal(inTrace.length, 2, event?.stack_trace);
    const images = inTrace.map((name) => ({
      type: "sourcemap",
      code_file: join(outdir, name),
      debug_id: idOf(built.indexOf(name)),
    }));
    const sent = event?.debug_meta?.images.sort((a, b) => (a.debug_id < b.debug_id ? -1 : 1));
    assert.deepEqual(sent, images);
  });

const app = "https://cdn.example.com/@shop/app.js";
const stacks: Record<string, { key: string; stack: string }> = {
  Chromium: {
    key: `Error\n    at ${app}?v=2:2:301\n    at ${app}?v=2:2:430`,
    stack: `Error: x\n    at e.pay (${app}?v=2:3:9)\n    at https://cdn.example.com/main.js:1:1`,
  },
  "a CommonJS module": {
    key: `Error\n    at ${app}:2:301\n    at Object.<anonymous> (${app}:2:430)`,
    stack: `Error: x\n    at Object.<anonymous> (${app}:3:9)`,
  },
  "Firefox and Safari": {
    key: `@${app}:2:301\n@${app}:2:430\n`,
    stack: `pay@${app}:3:9\nglobal code@https://cdn.example.com/main.js:1:1`,
  },
};

for (const [name, { key, stack }] of Object.entries(stacks))
  test(`a page's file is recognized in the stacks of ${name}, and files that are not in the trace are left out`, async () => {
    await using server = await recordingServer();
    const other = key.replaceAll("app.js", "other.js");
    const page = openPage();
    page.globals["_sentryDebugIds"] = { [other]: idOf(2), [key]: idOf(1) };
    page.init({ endpoint: server.url, log });
    page.captureError(Object.assign(new Error("x"), { stack }));
    await page.flush();
    const images = [{ type: "sourcemap", code_file: app, debug_id: idOf(1) }];
    assert.deepEqual(server.events()[0]?.debug_meta, { images });
  });

test("debug ids that the bundler itself provides are sent like those of plugins", async () => {
  await using server = await recordingServer();
  const { key, stack } = stacks["Chromium"] ?? assert.fail();
  const page = openPage();
  page.globals["_debugIds"] = { [key]: idOf(1) };
  page.init({ endpoint: server.url, log });
  page.captureError(Object.assign(new Error("x"), { stack }));
  await page.flush();
  assert.equal(server.events()[0]?.debug_meta?.images[0]?.debug_id, idOf(1));
});

test("a file that is loaded after an error is recognized in the next one", async () => {
  await using server = await recordingServer();
  const ids: Record<string, string> = {};
  const page = openPage();
  page.globals["_sentryDebugIds"] = ids;
  page.init({ endpoint: server.url, log });
  for (const { key, stack } of Object.values(stacks).slice(0, 2)) {
    page.captureError(Object.assign(new Error("x"), { stack }));
    ids[key] = idOf(1);
  }
  await page.flush();
  assert.deepEqual(
    server.events().map(({ debug_meta }) => debug_meta?.images.length),
    [undefined, 1],
  );
});

test("the address of a page whose inline script has a debug id is not sent", async () => {
  await using server = await recordingServer();
  const inline = "https://app.example.com/users/42";
  const key = `Error\n    at ${inline}?token=abc:2:301`;
  const page = openPage();
  page.globals["_sentryDebugIds"] = { [key]: idOf(1) };
  page.init({ endpoint: server.url, log });
  page.captureError(Object.assign(new Error("x"), { stack: `Error: x\n    at pay (${inline}:3:9)` }));
  await page.flush();
  assert.doesNotMatch(JSON.stringify(server.events()), /users/);
});
