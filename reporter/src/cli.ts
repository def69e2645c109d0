#!/usr/bin/env node
import type { ReporterOptions } from "./index.ts";
import { createReporter } from "./index.ts";

const usage = `Usage: npx @signalbox/reporter test [--url URL --project PROJECT --key KEY] [--dsn DSN]

Sends one test error and says whether Signalbox accepted it. Missing options are read from the environment:
SIGNALBOX_URL, SIGNALBOX_PROJECT, SIGNALBOX_KEY or SIGNALBOX_TOKEN, SIGNALBOX_DSN, SIGNALBOX_ENVIRONMENT.`;

const names = new Set(["url", "project", "key", "token", "dsn", "environment", "release"]);

class SignalboxTest extends Error {}

async function run([command, ...parameters]: string[]): Promise<number> {
  const options = readOptions(parameters);
  if (command !== "test" || !options) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  const reporter = createReporter({
    environment: "test",
    ...options,
    captureProcessErrors: false,
    exitDeadlineMs: 0,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const id = reporter.captureError(new SignalboxTest("This is a test of the Signalbox reporter"));
  // Without an address there is no id; the reporter has logged what is missing.
  if (id === undefined) return 1;
  await reporter.flush(10_000);
  if (reporter.counts.sent === 0) return 1;
  process.stdout.write(
    `Signalbox accepted the test error ${id}. It appears among the project's errors as SignalboxTest.\n`,
  );
  return 0;
}

/** Reads `--name value` and `--name=value`; undefined if there is anything else. */
function readOptions(parameters: string[]): ReporterOptions | undefined {
  const options: Record<string, string> = {};
  const words = parameters.flatMap((parameter) => /^(--\w+)=(.*)$/s.exec(parameter)?.slice(1) ?? [parameter]);
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index]!.replace(/^--/, "");
    const value = words[index + 1];
    if (!words[index]!.startsWith("--") || !names.has(name) || value === undefined) return undefined;
    options[name] = value;
  }
  return options;
}

process.exitCode = await run(process.argv.slice(2));
