/**
 * Installs the newest versions of the frameworks and the packed reporter in a temporary folder, runs an application of
 * each, lets its parts fail, and prints what was reported. The exit code is 1 if something is missing, wrong or
 * reported twice. Arguments choose frameworks. FRAMEWORKS_DIR keeps the installed packages for the next run.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ErrorEventBody } from "../src/core/event.ts";
import type { Expected, Framework } from "./framework.ts";
import { frameworks } from "./frameworks.ts";
import { LAST_ERROR } from "./pages.ts";
import { startRecorder } from "./recorder.ts";

const kept = process.env["FRAMEWORKS_DIR"];
const root = kept ?? mkdtempSync(join(tmpdir(), "signalbox-frameworks-"));
const chosen = process.argv.slice(2);
mkdirSync(root, { recursive: true });
execFileSync(process.execPath, [
  join(import.meta.dirname, "../scripts/build-downloads.ts"),
  join(root, "reporter"),
]);

const rows: string[][] = [];
for (const framework of frameworks) {
  if (chosen.length === 0 || chosen.includes(framework.app)) rows.push(...(await check(framework)));
}
print([["Framework", "Version", "What failed", "Reported as"], ...rows]);
if (!kept) rmSync(root, { recursive: true, force: true });

async function check(framework: Framework): Promise<string[][]> {
  const { name, app, packages, versionOf, trigger, expected } = framework;
  const folder = join(root, framework.folder ?? app);
  const recorder = await startRecorder();
  const failures: string[][] = [];
  let version = "?";
  try {
    install(folder, app, packages);
    version = versionIn(folder, versionOf);
    const received = (...messages: string[]) =>
      recorder.received([...Object.keys(expected), ...messages], 10_000);
    await trigger({ folder, env: environment(recorder.url), received });
    await received();
  } catch (error) {
    process.exitCode = 1;
    failures.push([name, version, "", `FAILED: ${String(error)}`]);
  } finally {
    recorder.close();
  }
  const unexpected = recorder.events.filter(
    ({ message }) => !(message in expected) && message !== LAST_ERROR,
  );
  return [
    ...failures,
    ...Object.entries(expected).map(([message, want]) => [
      name,
      version,
      message,
      verdict(
        want,
        recorder.events.filter((event) => event.message === message),
      ),
    ]),
    ...unexpected.map((event) => [name, version, event.message, wrong("UNEXPECTED", event)]),
  ];
}

function install(folder: string, app: string, packages: string[]) {
  cpSync(join(import.meta.dirname, "apps", app), folder, { recursive: true });
  const dependencies = Object.fromEntries(
    packages.map((name) => {
      const [, before = name, version = "latest"] = /^(.+)@(.+)$/.exec(name) ?? [];
      return [before, version];
    }),
  );
  const type = app === "nextjs" ? undefined : "module";
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "app", version: "3.1.4", private: true, type, dependencies }),
  );
  // The lockfile of an earlier run has the checksum of an earlier build.
  rmSync(join(folder, "package-lock.json"), { force: true });
  rmSync(join(folder, "node_modules/@signalbox"), { recursive: true, force: true });
  const archive = join(root, "reporter/reporter.tgz");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", archive], {
    cwd: folder,
    stdio: "pipe",
  });
}

function environment(url: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env;
  const project = "WEB";
  const key = "0123456789abcdef0123456789abcdef";
  const variables = { SIGNALBOX_URL: url, SIGNALBOX_PROJECT: project, SIGNALBOX_KEY: key };
  const forPages = ["NEXT_PUBLIC_", "VITE_", "NUXT_PUBLIC_"].flatMap((prefix) =>
    Object.entries(variables).map(([name, value]) => [prefix + name, value]),
  );
  return {
    ...inherited,
    ...variables,
    ...Object.fromEntries(forPages),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
  };
}

function versionIn(folder: string, packageName: string): string {
  const text = readFileSync(join(folder, "node_modules", packageName, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version.replace(/^v/, "");
}

function verdict(want: Expected, events: ErrorEventBody[]): string {
  const [event] = events;
  if (!event) return wrong("MISSING");
  if (events.length > 1) return wrong(`REPORTED ${events.length} TIMES`, event);
  const matches = isDeepStrictEqual(event.context, want.context) && event.framework?.name === want.framework;
  return matches ? summary(event) : wrong("WRONG", event);
}

function wrong(what: string, event?: ErrorEventBody): string {
  process.exitCode = 1;
  return `${what} ${event ? `${summary(event)} ${JSON.stringify(event.context)}` : ""}`.trim();
}

/** `GET /orders/:id (OrdersController.show) → 500; NestJS on node 24.1.0, release 3.1.4`. */
function summary({ context, framework, runtime, release }: ErrorEventBody): string {
  const place =
    context?.kind === "route"
      ? [
          context.method,
          context.pattern,
          context.action && `(${context.action})`,
          context.response_status && `→ ${context.response_status}`,
        ]
      : context
        ? [context.kind, context.name]
        : ["no context"];
  const known = [
    framework?.name,
    runtime && `on ${runtime.name} ${runtime.version ?? ""}`.trim(),
    release && `release ${release}`,
  ];
  return `${place.filter(Boolean).join(" ") || "route unknown"}; ${known.filter(Boolean).join(", ")}`;
}

function print(table: string[][]) {
  const lines = table.map((row) => `| ${row.join(" | ")} |`);
  lines.splice(1, 0, "|---|---|---|---|");
  process.stdout.write(`${lines.join("\n")}\n`);
}
