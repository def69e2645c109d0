import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { ReleaseHealth } from "../../src/shared/release-health.ts";
import { eventually } from "../support/eventually.ts";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../support/make.ts";
import { freePort } from "../../src/server/postgres/address.ts";
import { openTestApp } from "../support/test-app.ts";
import { browserError, CRASH_REPORT, EXPLANATION, FEEDBACK, runInBrowser } from "./browser.ts";
import { CANARY_FORMS, canaryVariables } from "./canaries.ts";
import { checkLife } from "./check-life.ts";
import { checkGroup } from "./check-group.ts";
import { copyPrograms, go, java, node, python, type Language } from "./languages.ts";
import { checkMonitor, MONITOR_PROGRAMS } from "./monitors.ts";
import { OTEL_LANGUAGES, OTEL_PROGRAMS, otelVariables } from "./opentelemetry.ts";
import { PROGRAMS, type Expected, type Sessions } from "./programs.ts";
import { runCommand } from "./run-command.ts";
import { checkSourceMaps } from "./source-maps/check-source-maps.ts";
import { tablesWith } from "./search-database.ts";

/**
 * Runs unmodified Sentry and OpenTelemetry SDKs in their newest versions against the server and checks what it stored. Languages that the
 * machine lacks are skipped. Also uploads source maps with each client and checks the frames of errors. Arguments choose what to run:
 * `npm run test:sdks -- go python source-maps`.
 */
const PROGRAM_MS = 60_000;

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const root = await mkdtemp(path.join(tmpdir(), "signalbox-sdks-"));
// A folder of its own: another run of tests may build the widget at the same time.
const widget = path.join(root, "widget");
await runCommand(
  process.execPath,
  [path.resolve(import.meta.dirname, "../../widget/scripts/build.ts"), widget],
  {
    cwd: root,
    timeoutMs: PROGRAM_MS,
  },
);
// Clients for source maps upload to this address.
const t = await openTestApp({ PUBLIC_URL: url }, { widget });
await t.app.listen({ port, host: "127.0.0.1" });
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const { id: projectId } = await makeProject(t.db, workspaceId);
const key = await makeIngestKey(t.db, projectId);
const readerToken = await makePersonalToken(t.db, admin.id);
const reader = t.http.as(readerToken);
const token = await makeProjectToken(t.db, projectId, admin.id);
const dsn = `http://${key}@127.0.0.1:${port}/${projectId}`;

/** What the programs that ran have reported, by their names. */
const sessions = new Map<string, Sessions>();

let passed = 0;
let failed = 0;

const wanted = process.argv.slice(2);
const languages = [node, python, go, java, ...OTEL_LANGUAGES].filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
);

try {
  await Promise.all(languages.map(testLanguage));
  if (wanted.length === 0 || wanted.includes("source-maps")) await testSourceMaps();
  for (const [name, expected] of sessions)
    await check(`Sessions, ${name}`, () => eventually(() => readSessions(name.toLowerCase()), expected));
  const nothing =
    "The database contains no user, address, cookie, header, query, body or environment variable";
  await check(nothing, async () => assert.deepEqual(await tablesWith(t.db, CANARY_FORMS), []));
} finally {
  await t.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
// In the form of Node's test runner, which .ci/run adds up.
console.log(`ℹ pass ${passed}\nℹ fail ${failed}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function testLanguage(language: Language) {
  if (!(await language.isAvailable())) {
    console.log(`skipped: ${language.name} is not installed`);
    return;
  }
  const folder = path.join(root, language.name);
  await copyPrograms(language, folder);
  let version: string;
  try {
    version = await language.install(folder);
  } catch (error) {
    // A registry may be out of reach, which says nothing about the server.
    console.log(`skipped: ${language.name} could not be installed: ${String(error)}`);
    return;
  }
  const programs = [...PROGRAMS, ...OTEL_PROGRAMS];
  for (const { name, run, expected } of programs.filter((program) => program.language === language)) {
    await check(`${name} (SDK ${version})`, async () => {
      const environment = name.toLowerCase();
      const [command, ...args] = language.command(run, folder);
      const otel = otelVariables({ url, projectId, key }, environment);
      const env = { ...canaryVariables, ...otel, SENTRY_DSN: dsn, PROGRAM: environment };
      const output = await runCommand(command, args, { cwd: folder, env, timeoutMs: PROGRAM_MS });
      assert.match(output, /^flushed$/m, "flush");
      await checkStored(environment, expected);
    });
  }
  for (const { name, sessions: sent } of PROGRAMS.filter((program) => program.language === language))
    if (sent) sessions.set(name, sent);
  for (const program of MONITOR_PROGRAMS.filter((each) => each.language === language))
    await check(`Monitors: ${program.name} (SDK ${version})`, () =>
      checkMonitor(program, folder, { url, projectId, dsn, token: readerToken, reader }),
    );
  if (language === node) await testBrowser(folder, version);
}

async function testSourceMaps() {
  const folder = path.join(root, "source-maps");
  await copyPrograms({ name: "source-maps" }, folder);
  await checkSourceMaps(folder, { url, projectId, key, token, reader }, check);
}

async function testBrowser(installed: string, version: string) {
  const folder = path.join(installed, "browser");
  await copyPrograms({ ...node, name: "browser" }, folder);
  await check(`Browser, Chromium (SDK ${version})`, async () => {
    await runInBrowser(folder, dsn, "browser");
    await checkStored("browser", browserError);
  });
  sessions.set("Browser", [1, 1]);
  await check(`Browser, feedback with a screenshot (SDK ${version})`, checkReport);
  await check(`Browser, dialog after a crash (SDK ${version})`, checkCrashReport);
  await check(`Browser, from a crash with feedback to a verified fix (SDK ${version})`, () =>
    checkLife(t.db, reader, projectId, EXPLANATION),
  );
}

async function checkReport() {
  const reports = `/api/projects/${projectId}/reports`;
  const all = (await reader.get(reports)).body as Report[];
  assert.equal(all.length, 3, "reports");
  const report = all.find(({ title }) => title === FEEDBACK.message);
  assert.ok(report);
  const { title, author_name, author_email } = report;
  assert.deepEqual({ name: author_name, email: author_email, message: title }, FEEDBACK);
  const attachments = (await reader.get(`${reports}/${report.id}/attachments`)).body as {
    mime_type: string;
  }[];
  assert.deepEqual(
    attachments.map(({ mime_type }) => mime_type),
    ["image/webp"],
  );
}

async function checkCrashReport() {
  const all = (await reader.get(`/api/projects/${projectId}/reports`)).body as Report[];
  const report = all.find(({ title }) => title === CRASH_REPORT.message);
  assert.ok(report);
  const { title, author_name, author_email, kind, error_group_ids } = report;
  assert.deepEqual({ name: author_name, email: author_email, message: title }, CRASH_REPORT);
  assert.equal(kind, "bug");
  assert.equal(error_group_ids.length, 1, "the report knows its error");
}

type Report = {
  id: number;
  title: string;
  author_name: string;
  author_email: string;
  kind: string | null;
  error_group_ids: number[];
};

async function checkStored(environment: string, expected: Expected) {
  const groups = `/api/projects/${projectId}/error-groups`;
  const { body } = await reader.get(`${groups}?limit=500&environment=${encodeURIComponent(environment)}`);
  const list = (body.data as ErrorGroup[]).filter((group) => group.environment === environment);
  assert.equal(list.length, 1, `groups: ${JSON.stringify(list.map((group) => group.latest_message))}`);
  checkGroup((await reader.get(`${groups}/${list[0]?.id}`)).body as ErrorGroup, environment, expected);
}

/** They are written every ten seconds. */
async function readSessions(environment: string): Promise<Sessions> {
  const release = `/api/projects/${projectId}/release?version=${encodeURIComponent("shop@1.4.2")}`;
  const { body } = await reader.get(`${release}&environment=${encodeURIComponent(environment)}`);
  const { sessions: all, errored, crashed } = body.health as ReleaseHealth;
  return [all, errored + crashed];
}

async function check(name: string, run: () => Promise<void>) {
  const start = performance.now();
  try {
    await run();
    passed++;
    console.log(`passed: ${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    console.log(`failed: ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}
