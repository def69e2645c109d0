import assert from "node:assert/strict";
import type { CheckIn, Monitor } from "../../src/shared/monitors.ts";
import type { Client } from "../support/client.ts";
import { canaryVariables } from "./canaries.ts";
import { node, python, type Language } from "./languages.ts";
import { runCommand } from "./run-command.ts";

const JOBS_MS = 60_000;

/**
 * Runs one job that succeeds and one that fails. A job ends only when the server has its check-in as running, so all
 * three statuses must arrive.
 */
export type MonitorProgram = {
  name: string;
  language: Language;
  slug: string;
  /** Commands that must succeed, one after the other. */
  commands: (folder: string) => string[][];
  schedule: Monitor["schedule"];
};

const crontab: Monitor["schedule"] = { type: "crontab", value: "30 4 * * mon" };

const CLI_SLUG = "sentry-cli";

/** A command that succeeds if `sentry-cli` ends with the exit code of the job. */
function runByCli(exitCode: number): string[] {
  const job = `'${process.execPath}' wait-until-running.mjs ${exitCode}`;
  const times = `--schedule '${crontab.value}' --timezone Europe/Berlin --check-in-margin 5 --max-runtime 10`;
  const thresholds = "--failure-issue-threshold 2 --recovery-threshold 3";
  const run = `node_modules/.bin/sentry-cli monitors run ${times} ${thresholds} ${CLI_SLUG} -- ${job}`;
  return ["sh", "-c", `${run}; test $? = ${exitCode}`];
}

export const MONITOR_PROGRAMS: MonitorProgram[] = [
  {
    name: "Node, withMonitor",
    language: node,
    slug: "node-job",
    commands: (folder) => [node.command("monitor.cjs", folder)],
    schedule: crontab,
  },
  {
    name: "sentry-cli monitors run",
    language: node,
    slug: CLI_SLUG,
    commands: () => [runByCli(0), runByCli(3)],
    schedule: crontab,
  },
  {
    name: "Python, @monitor",
    language: python,
    slug: "python-job",
    commands: (folder) => [python.command("monitor.py", folder)],
    schedule: { type: "interval", value: 6, unit: "hour" },
  },
];

export type MonitorServer = { url: string; projectId: number; dsn: string; token: string; reader: Client };

/** Runs the jobs in the folder with the SDK, and checks the monitor and its check-ins. */
export async function checkMonitor(
  { slug, commands, schedule }: MonitorProgram,
  folder: string,
  { url, projectId, dsn, token, reader }: MonitorServer,
): Promise<void> {
  const monitorPath = `/api/projects/${projectId}/monitors/${slug}`;
  const env = {
    ...canaryVariables,
    SENTRY_DSN: dsn,
    PROGRAM: "production",
    MONITOR: JSON.stringify({ slug, url: `${url}${monitorPath}/check-ins`, token }),
  };
  for (const [command = "", ...args] of commands(folder))
    await runCommand(command, args, { cwd: folder, env, timeoutMs: JOBS_MS });
  const monitor = (await reader.get(monitorPath)).body as Monitor;
  assert.partialDeepStrictEqual(monitor, {
    schedule,
    timezone: "Europe/Berlin",
    margin_minutes: 5,
    max_runtime_minutes: 10,
    failure_threshold: 2,
    recovery_threshold: 3,
  });
  const checkIns = (await reader.get(`${monitorPath}/check-ins`)).body.data as CheckIn[];
  assert.deepEqual(
    checkIns.map(({ status, environment }) => [status, environment]),
    [
      ["error", "production"],
      ["ok", "production"],
    ],
  );
  for (const { duration, finished_at } of checkIns) {
    assert.ok(duration !== null && duration > 0, `duration: ${duration}`);
    assert.notEqual(finished_at, null);
  }
}
