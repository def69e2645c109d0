import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { recordingServer } from "./support/recording-server.ts";
import { runProgram } from "./support/run-program.ts";

const root = join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const readme = readFileSync(join(root, "README.md"), "utf8");
const { exports, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
const name = (entry: string) => `@signalbox/reporter${entry.slice(1)}`;

/** The size of some built files together, compressed with gzip. */
function gzippedSize(files: string[]): number {
  return gzipSync(files.map((file) => readFileSync(join(root, "dist", file))).join(""), { level: 9 }).length;
}

/** The size limit that the README states for `what`, in bytes. */
function documentedLimit(what: string): number {
  return Number(new RegExp(`${what}[^\\n]* ([\\d.]+) kB`).exec(readme)?.[1]) * 1000;
}

test("the browser bundle fits the limit in the README, which is at most 5.2 kB", () => {
  assert.ok(documentedLimit("Browser") <= 5200);
  assert.ok(gzippedSize(["browser/index.js"]) <= documentedLimit("Browser"));
});

test("the Node bundle with any one integration fits the limit in the README, which is at most 15 kB", () => {
  const integrations = entries
    .map((entry): string | undefined => exports[entry].import?.slice("./dist/".length))
    .filter((file) => file?.startsWith("integrations/"));
  assert.ok(integrations.length >= 15);
  assert.ok(documentedLimit("Node") <= 15_000);
  for (const file of integrations)
    assert.ok(gzippedSize(["index.js", file!]) <= documentedLimit("Node"), file);
});

test("the package has no dependencies", () => assert.equal(dependencies, undefined));

/** The exports of each entry. A change here changes the public API. */
const exportsByEntry: Record<string, string[]> = {
  ".": ["addBreadcrumb", "captureError", "createReporter", "flush", "init", "setTag"],
  "./browser": ["addBreadcrumb", "captureError", "createReporter", "flush", "init", "setTag"],
  "./express": ["expressErrors"],
  "./fastify": ["fastifyErrors"],
  "./koa": ["koaErrors"],
  "./hono": ["honoErrors", "honoStreamErrors"],
  "./http": ["httpErrors"],
  "./bullmq": ["bullmqErrors", "bullmqJob"],
  "./pg-boss": ["pgBossErrors"],
  "./commander": ["commanderErrors"],
  "./nestjs": ["SignalboxModule"],
  "./next": ["nextErrors"],
  "./react": ["ErrorBoundary", "reactErrors"],
  "./vue": ["vueErrors"],
  "./nuxt": ["nitroErrors", "nuxtErrors"],
  "./sveltekit": ["svelteKitErrors"],
  "./lambda": ["lambdaErrors"],
  "./fetch": ["addBreadcrumb", "captureError", "createReporter", "fetchErrors", "flush", "init", "setTag"],
};

test("each entry exports exactly its public API, as an ES module and as CommonJS", async () => {
  assert.deepEqual(entries, Object.keys(exportsByEntry));
  for (const [entry, names] of Object.entries(exportsByEntry)) {
    assert.deepEqual(Object.keys((await import(name(entry))) as object).sort(), names, `import ${entry}`);
    assert.deepEqual(Object.keys(require(name(entry)) as object).sort(), names, `require ${entry}`);
  }
});

test("an integration in one module format uses the reporter that init created in the other", async () => {
  await using server = await recordingServer();
  const result = await runProgram(
    `import { createRequire } from "node:module"; import { init } from "@signalbox/reporter";
     init();
     const { httpErrors } = createRequire(import.meta.url)("@signalbox/reporter/http");
     await httpErrors(async () => { throw new Error("x"); })({ method: "GET" }, {}).catch(() => {});`,
    server,
  );
  assert.equal(result.code, 0, result.stderr);
  assert.equal(server.events()[0]?.context?.kind, "route");
});

test("a program that starts the reporter loads no module for requests, threads or cryptography before the first error", async () => {
  await using server = await recordingServer();
  const { stdout } = await runProgram(
    `import { init } from "@signalbox/reporter"; init(); console.log(process.moduleLoadList.join("\\n"));`,
    server,
  );
  const heavy = ["crypto", "dns", "http", "https", "net", "tls", "worker_threads", "zlib"];
  const loaded = stdout.split("\n");
  assert.ok(loaded.includes("NativeModule fs"), stdout);
  assert.deepEqual(
    heavy.filter((name) => loaded.includes(`NativeModule ${name}`)),
    [],
  );
});

/** A program that uses all options and entries. It is compiled, not run. */
const consumer = `
import { captureError, flush, init, type ErrorEventBody, type NodeReporter } from "@signalbox/reporter";
import { init as initBrowser } from "@signalbox/reporter/browser";
import { expressErrors } from "@signalbox/reporter/express";
import { fastifyErrors } from "@signalbox/reporter/fastify";
import { bullmqErrors } from "@signalbox/reporter/bullmq";
import { SignalboxModule } from "@signalbox/reporter/nestjs";
import { nextErrors } from "@signalbox/reporter/next";
import { ErrorBoundary, reactErrors } from "@signalbox/reporter/react";
import { svelteKitErrors } from "@signalbox/reporter/sveltekit";
import { lambdaErrors } from "@signalbox/reporter/lambda";
import { fetchErrors, init as initFetch } from "@signalbox/reporter/fetch";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { Worker } from "bullmq";
import { Command } from "commander";
import { commanderErrors } from "@signalbox/reporter/commander";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { honoErrors } from "@signalbox/reporter/hono";
import { createServer } from "node:http";
import { httpErrors } from "@signalbox/reporter/http";
import Koa from "koa";
import { koaErrors } from "@signalbox/reporter/koa";
import { PgBoss } from "pg-boss";
import { pgBossErrors } from "@signalbox/reporter/pg-boss";

const reporter: NodeReporter = init({
  url: "https://signalbox.example.com:8443", project: "WEB", token: process.env["T"], environment: "production", release: undefined,
  userHashSecret: "s", enabled: true, host: false, framework: { name: "Own" }, captureProcessErrors: true, exitDeadlineMs: 100,
  offlineDir: "/var/lib/app", sampleRate: 0.5, maxPerMinute: 10, maxQueued: 10, timeoutMs: 1000, log: (line: string) => void line,
  ignore: ["AbortError", /^Error: x/, (error: unknown) => error === null],
  beforeSend: (event: ErrorEventBody) => (event.message ? event : null),
  transport: async ({ url, body }) => ({ status: (await fetch(url, { body })).status }),
});
// @ts-expect-error -- unknown option
init({ urll: "" });
// @ts-expect-error -- the rate must be a number
init({ sampleRate: "1" });
captureError(new Error("x"), { userId: 4, context: { kind: "route", method: "GET", pattern: "/a/:id", response_status: 500 } });
// @ts-expect-error -- field of another kind
captureError("x", { context: { kind: "job", method: "GET" } });
const drained: boolean = await flush(100);
reporter.setContext({ kind: "command", name: String(drained) });
// @ts-expect-error -- no secrets in browsers
initBrowser({ endpoint: "/errors", userHashSecret: "s" });
initBrowser({ endpoint: "/errors", capturePageErrors: false });

express().use(expressErrors({ userId: (request: express.Request) => request.ip, report: (_, status) => status > 500 }));
await Fastify().register(fastifyErrors({ reporter }));
new Koa().use(koaErrors({ userId: (ctx: Koa.Context) => ctx["state"].user?.id }));
new Hono().use(honoErrors());
createServer(httpErrors((request, response) => response.end(request.url), { pattern: () => "/a" }));
bullmqErrors(new Worker("q", async () => 1), { lastAttemptOnly: true });
await new PgBoss("postgres://x").work("q", pgBossErrors(async ([job]) => job?.name));
commanderErrors(new Command());
SignalboxModule.forRoot({ userId: (request: express.Request) => request.ip }).providers;
export const onRequestError: (error: unknown, request: { path: string; method: string; headers: NodeJS.Dict<string | string[]> },
  context: { routerKind: "App Router"; routePath: string; routeType: "render" }) => void | Promise<void> = nextErrors();
createRoot(document.body, reactErrors()).render(createElement(ErrorBoundary, { fallback: ({ reset }) => createElement("button", { onClick: reset }) }));
export const handleError: (input: { error: unknown; event: { route: { id: string | null }; request: Request }; status: number; message: string }) =>
  { message: string } | void = svelteKitErrors(({ message }) => ({ message }));
export const handler: (event: object, context: { functionName: string }) => Promise<string> = lambdaErrors(async () => "done");
initFetch({ dsn: "https://key@signalbox.example.com/1" });
export default fetchErrors({ fetch: async (request: Request, env: { KEY: string }) => new Response(env.KEY) }, { init: (env) => ({ key: env.KEY }) });
fetchErrors({ fetch: () => new Response() }, { init: (env: { KEY: string }) => ({ key: env.KEY }) });
// @ts-expect-error -- another environment than the handler's
fetchErrors({ fetch: async (request: Request, env: { KEY: string }) => new Response(env.KEY) }, { init: (env: { SECRET: string }) => ({ key: env.SECRET }) });
`;

test("all options are typed, for ES modules and for CommonJS", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-types-"));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "../node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/esm.mts"), consumer);
  writeFileSync(
    join(folder, "src/common.cts"),
    'import reporter = require("@signalbox/reporter");\nreporter.init({ project: 1 }).captureError("x");\n',
  );
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  const compiler = join(root, "../node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout);
  }
});
