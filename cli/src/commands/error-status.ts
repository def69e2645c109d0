import type { ErrorGroup } from "../../../src/shared/error-groups.ts";
import type { Command } from "../command.ts";
import type { Context } from "../context.ts";
import { wrongUsage } from "../failure.ts";
import { writeJson, writeLine } from "../output.ts";
import { oneLine } from "../terminal-text.ts";
import { describeStatus, findErrorPath } from "./errors.ts";

const resolve: Command = {
  name: "resolve",
  summary: "Resolve an error",
  arguments: ["ID"],
  options: {
    "next-release": { type: "boolean", help: "events of the releases seen so far do not open it again" },
    release: { type: "string", value: "VERSION", help: "events before this release do not open it again" },
  },
  fields: { in: "--release" },
  run(context) {
    const release = context.text("release");
    if (context.flag("next-release") && release !== undefined)
      throw wrongUsage("Give either --next-release or --release.");
    if (context.flag("next-release")) return change(context, "resolve", { in: "next_release" });
    return change(context, "resolve", release === undefined ? {} : { in: { release } });
  },
};

const ignore: Command = {
  name: "ignore",
  summary: "Ignore an error, for good or until a condition is met",
  arguments: ["ID"],
  options: {
    until: { type: "string", value: "TIME", help: "an ISO 8601 time, such as 2026-12-24T08:00:00Z" },
    events: { type: "string", value: "N", help: "until it has N more events" },
    users: { type: "string", value: "N", help: "until N more users are affected" },
    release: { type: "string", value: "VERSION", help: "until an event of this release or a newer one" },
  },
  fields: {
    "until.at": "--until",
    "until.occurrences": "--events",
    "until.users": "--users",
    "until.release": "--release",
  },
  run(context) {
    const until = {
      at: context.text("until"),
      occurrences: wholeNumber(context, "events"),
      users: wholeNumber(context, "users"),
      release: context.text("release"),
    };
    const isForGood = Object.values(until).every((value) => value === undefined);
    return change(context, "ignore", isForGood ? {} : { until });
  },
};

const reopen: Command = {
  name: "reopen",
  summary: "Open a resolved or ignored error again",
  arguments: ["ID"],
  run: (context) => change(context, "reopen", {}),
};

export const errorStatusCommands = [resolve, ignore, reopen];

async function change(context: Context, action: string, body: object) {
  const path = await findErrorPath(context);
  const group = await context.api().post<ErrorGroup>(`${path}/${action}`, body);
  if (context.json) return writeJson(group);
  writeLine(oneLine(describeStatus(group)));
}

function wholeNumber(context: Context, option: string): number | undefined {
  const value = context.text(option);
  if (value !== undefined && !/^[1-9][0-9]{0,9}$/.test(value))
    throw wrongUsage(`--${option} must be a whole number from 1.`);
  return value === undefined ? undefined : Number(value);
}
