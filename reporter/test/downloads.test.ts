import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import type * as Browser from "../src/browser/index.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "signalbox-downloads-"));
after(() => rmSync(folder, { recursive: true }));
await run(process.execPath, [join(root, "scripts/build-downloads.ts"), folder]);

test("the package that servers offer can be installed and loaded, as an ES module and as CommonJS", async () => {
  const app = mkdtempSync(join(folder, "app-"));
  writeFileSync(join(app, "package.json"), "{}");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, "reporter.tgz")], {
    cwd: app,
  });
  const programs = {
    "a.mjs": 'import { init } from "@signalbox/reporter"; console.log(typeof init);',
    "b.cjs":
      'const { expressErrors } = require("@signalbox/reporter/express"); console.log(typeof expressErrors);',
  };
  for (const [name, source] of Object.entries(programs)) {
    writeFileSync(join(app, name), source);
    assert.equal((await run(process.execPath, [name], { cwd: app })).stdout, "function\n");
  }
});

test("the package that servers offer has the files that npm would publish", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root });
  const published = (JSON.parse(stdout) as [{ files: { path: string }[] }])[0].files.map((file) => file.path);
  const { stdout: offered } = await run("tar", ["tzf", join(folder, "reporter.tgz")]);
  assert.deepEqual(offered.trim().split("\n").sort(), published.map((path) => `package/${path}`).sort());
});

test("each link in the package's documents leads to a file of the package", async () => {
  const files = (await run("tar", ["tzf", join(folder, "reporter.tgz")])).stdout.trim().split("\n");
  for (const file of files.filter((name) => name.endsWith(".md"))) {
    const text = readFileSync(join(root, file.slice("package/".length)), "utf8");
    for (const [, link = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      const target = join(file, "..", link);
      assert.ok(
        files.some((name) => name === target || name.startsWith(`${target}/`)),
        `${link} in ${file}`,
      );
    }
  }
});

/** The package, which npm would publish in the same form. */
const archive = readFileSync(join(folder, "reporter.tgz"));

test("publint finds nothing wrong with the package", async () => {
  const tarball = Uint8Array.from(archive).buffer;
  const { messages } = await publint({ pack: { tarball }, strict: true });
  assert.deepEqual(messages, []);
});

test("every entry has the right types for node10, node16 and bundlers, as an ES module and as CommonJS", async () => {
  const result = await checkPackage(createPackageFromTarballData(Uint8Array.from(archive)));
  assert.ok(result.types);
  assert.deepEqual(result.problems, []);
});

/** Runs the classic script as the script tag with these attributes would. Returns the page's requests. */
async function load(dataset: Record<string, string>) {
  const requests: { url: string; headers: Record<string, string> }[] = [];
  const lines: string[] = [];
  const page: Record<string, unknown> = {
    document: Object.assign(new EventTarget(), {
      visibilityState: "visible",
      currentScript: { src: "https://signalbox.example.com/base/reporter/reporter.js", dataset },
    }),
    window: new EventTarget(),
    navigator: { userAgent: "Mozilla/5.0 Chrome/150.0.1 Safari/537.36" },
    location: { href: "https://shop.example.com/" },
    fetch: async (url: string, { headers }: { headers: Record<string, string> }) => {
      requests.push({ url, headers });
      return { status: 202, headers: new Headers() };
    },
    console: { warn: (line: string) => void lines.push(line) },
    AbortSignal,
    URL,
    Blob,
    performance,
    // Timers must not keep the test process alive.
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms).unref(),
    clearTimeout,
  };
  runInNewContext(readFileSync(join(folder, "reporter.js"), "utf8"), page);
  const signalbox = page["signalbox"] as typeof Browser;
  signalbox.captureError(new Error("x"));
  await signalbox.flush();
  return { requests, lines, signalbox };
}

test("a script tag with project and key starts the reporter, which sends to the server of the script", async () => {
  const { requests } = await load({ project: "WEB", key: "0123456789abcdef0123456789abcdef" });
  assert.equal(requests[0]?.url, "https://signalbox.example.com/base/api/projects/WEB/error-events");
  assert.equal(requests[0].headers["authorization"], "Bearer 0123456789abcdef0123456789abcdef");
});

test("a script tag without attributes only defines signalbox", async () => {
  const { requests, lines, signalbox } = await load({});
  assert.deepEqual([requests, lines], [[], []]);
  assert.deepEqual(Object.keys(signalbox).sort(), [
    "addBreadcrumb",
    "captureError",
    "createReporter",
    "flush",
    "init",
    "setTag",
  ]);
});

test("the scripts that servers offer load no further files", () => {
  for (const name of ["reporter.js", "reporter.mjs"])
    assert.doesNotMatch(readFileSync(join(folder, name), "utf8"), /import\(|from\s*"/, name);
});

test("a script tag without a key says so in the console", async () => {
  const { requests, lines } = await load({ project: "WEB" });
  assert.equal(requests.length, 0);
  assert.match(lines.join(), /nothing will be sent: .* missing/);
});
