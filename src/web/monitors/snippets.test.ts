import assert from "node:assert/strict";
import { test } from "node:test";
import { monitorExamples } from "../../shared/monitors.ts";
import { snippetsOf } from "./snippets.ts";

const monitor = monitorExamples.Monitor.example;
const codeOf = (name: string, changes = {}) =>
  snippetsOf({ ...monitor, ...changes }).find((snippet) => snippet.name === name)?.code ?? "";

test("a shell command checks in before and after the job, with its exit code", () => {
  assert.deepEqual(
    codeOf("curl")
      .split("\n")
      .map((line) => line.split(" ").at(-1)),
    [`${monitor.ping_url}/start`, "./job.sh", `${monitor.ping_url}/$?`],
  );
});

test("the crontab has the schedule and the time zone of the monitor", () => {
  assert.match(codeOf("crontab"), /^CRON_TZ=Europe\/Berlin\n0 2 \* \* \* /);
  const schedule = { type: "interval", value: 5, unit: "minute" };
  assert.match(codeOf("crontab", { schedule }), /\n\*\/5 \* \* \* \* /);
});

test("people who may not see the ping URL get a placeholder", () => {
  assert.match(codeOf("curl", { ping_url: null }), /https:\/\/YOUR_PING_URL\/start/);
});

test("Sentry's tools name the monitor by its slug", () => {
  for (const name of ["sentry-cli", "Node.js", "Python"]) assert.match(codeOf(name), /nightly-backup/);
});
