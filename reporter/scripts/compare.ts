/**
 * Compares the packed reporter with other error reporters, all installed in their newest versions in a temporary folder
 * and measured in one run: what a program loads, its import, and its memory. Prints the table of the README. The exit
 * code is 1 if the reporter exceeds a budget.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";

const rounds = 5;
const signalbox = "@signalbox/reporter";
/** The code that starts each one, in Node and in a page, without sending anything. */
const programs: Record<string, { node: string; browser: [packageName: string, code: string] }> = {
  [signalbox]: {
    node: `import { init } from "${signalbox}"; const start = () => init({ dsn: "http://0@127.0.0.1:9/1" });`,
    browser: [signalbox, `import { init } from "${signalbox}"; init({ dsn: "http://0@127.0.0.1:9/1" });`],
  },
  "@sentry/node": {
    node: 'import * as Sentry from "@sentry/node"; const start = () => Sentry.init({ dsn: "http://0@127.0.0.1:9/1" });',
    browser: [
      "@sentry/browser",
      'import { init } from "@sentry/browser"; init({ dsn: "http://0@127.0.0.1:9/1" });',
    ],
  },
  "@honeybadger-io/js": {
    node: 'import Honeybadger from "@honeybadger-io/js"; const start = () => Honeybadger.configure({ apiKey: "0" });',
    browser: [
      "@honeybadger-io/js",
      'import Honeybadger from "@honeybadger-io/js"; Honeybadger.configure({ apiKey: "0" });',
    ],
  },
  "@bugsnag/js": {
    node: 'import Bugsnag from "@bugsnag/js"; const start = () => Bugsnag.start({ apiKey: "0".repeat(32), logger: null, autoTrackSessions: false });',
    browser: ["@bugsnag/js", 'import Bugsnag from "@bugsnag/js"; Bugsnag.start({ apiKey: "0".repeat(32) });'],
  },
};
/** A test checks the sizes of the package's files. */
const budgets = { node: 15, import: 5, resident: 3 };

const folder = mkdtempSync(join(tmpdir(), "signalbox-compare-"));
try {
  execFileSync(process.execPath, [join(import.meta.dirname, "build-downloads.ts"), folder]);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const names = Object.entries(programs).flatMap(([name, { browser }]) => [name, browser[0]]);
  const packages = [...new Set(names)].filter((name) => name !== signalbox).map((name) => `${name}@latest`);
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, join(folder, "reporter.tgz"), ...packages], {
    cwd: folder,
    stdio: "pipe",
  });
  const columns = [
    "",
    "Version",
    "Browser, kB gzip",
    "Node, kB gzip",
    "Import, ms",
    "Resident, MB",
    "Private, MB",
  ];
  process.stdout.write(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}\n`);
  const empty = await measure("const start = () => {};");
  for (const [name, { node, browser }] of Object.entries(programs)) {
    const own = await measure(node);
    const figures = {
      browser: await size(browser[1], "browser"),
      node: await size(node.replace("const start = () =>", ""), "node"),
      import: own.import - empty.import,
      resident: own.resident - empty.resident,
      private: own.private - empty.private,
    };
    const cells = Object.values(figures).map((figure) => figure.toFixed(1));
    process.stdout.write(`| ${name} | ${versionOf(name)} | ${cells.join(" | ")} |\n`);
    if (name !== signalbox) continue;
    for (const key of Object.keys(budgets) as (keyof typeof budgets)[])
      if (figures[key] > budgets[key]) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The size of everything that a program loads, bundled and minified, in kB. */
async function size(source: string, platform: "browser" | "node"): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    write: false,
    format: "esm",
    platform,
    external: platform === "node" ? ["*.node"] : [],
    logLevel: "error",
  });
  const options = { module: true, ecma: 2020, compress: { passes: 3 } } as const;
  const { code = "" } = await minify(outputFiles[0]!.text, options);
  return gzipSync(code, { level: 9 }).length / 1000;
}

/**
 * The shortest time of the import in ms (other load can only increase it), and the medians of the resident memory and of
 * the part that is not shared with other processes (only known on Linux), in MB.
 *
 * The memory is measured without V8's optimizing compilers. Their first use maps 2 MB of Node's executable, and the length
 * of the folder's path decides whether a program as short as this one uses them: Node's path functions look at each
 * character.
 */
async function measure(node: string): Promise<{ import: number; resident: number; private: number }> {
  const [, imported] = /from "([^"]+)"/.exec(node) ?? [];
  const timed = `const began = performance.now(); await import(${JSON.stringify(imported ?? "data:text/javascript,")}); console.log(performance.now() - began); process.exit();`;
  const measured = `${node} start(); for (let i = 0; i < 4; i++) { gc(); await new Promise(setImmediate); }
    const resident = process.memoryUsage.rss() / 1e6;
    let rollup = ""; try { rollup = process.getBuiltinModule("fs").readFileSync("/proc/self/smaps_rollup", "utf8"); } catch {}
    console.log(resident, Number(/Anonymous: +([0-9]+)/.exec(rollup)?.[1]) / 1e3); process.exit();`;
  const times: number[] = [];
  const memory: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(...(await run(timed)));
    memory.push(await run(measured, "--no-maglev", "--no-turbofan"));
  }
  const [resident, own] = [0, 1].map((column) => median(memory.map((figures) => figures[column]!)));
  return { import: Math.min(...times), resident: resident!, private: own! };
}

/** Returns the numbers in the program's last line. */
async function run(source: string, ...flags: string[]): Promise<number[]> {
  const args = [...flags, "--expose-gc", "--input-type=module", "--eval", source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return stdout.trim().split("\n").at(-1)!.split(" ").map(Number);
}

function median(figures: number[]): number {
  return figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)]!;
}

function versionOf(name: string): string {
  const text = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
