import type { Monitor } from "../../../src/shared/monitors.ts";
import { openApi } from "../api.ts";
import type { Command } from "../command.ts";
import type { Context } from "../context.ts";
import { writeJson, writeLine, writeTable, writtenTime } from "../output.ts";
import type { Patience } from "../send.ts";
import { oneLine } from "../terminal-text.ts";
import { checkIn } from "./check-in.ts";
import { runMonitored } from "./run-monitored.ts";

const STATUSES = ["ok", "error", "in_progress"] as const;
const OUTCOMES = { ok: "0", error: "fail", in_progress: "start" } as const;

const ENVIRONMENT = {
  environment: { type: "string", short: "e", value: "NAME", help: "production unless given" },
} as const;

const list: Command = {
  name: "monitors",
  summary: "List the monitors of a project",
  async run({ api, projectPath, json }) {
    const { rows } = await api().list<Monitor>(`${projectPath()}/monitors`, {}, Infinity);
    if (json) return writeJson(rows);
    const lines = rows.flatMap(linesOf);
    writeTable(lines, [
      { name: "SLUG", text: ({ slug }) => slug },
      { name: "ENVIRONMENT", text: ({ environment }) => environment },
      { name: "STATUS", text: ({ status }) => status, color: ({ status }) => COLORS[status] },
      { name: "LAST CHECK-IN", text: ({ last }) => writtenTime(last) },
      { name: "NAME", text: ({ name }) => name },
    ]);
  },
};

type Line = { slug: string; name: string; environment: string; status: string; last: string | null };

/** A line per environment, and one if there was no check-in yet. */
function linesOf({ slug, name, environments }: Monitor): Line[] {
  if (environments.length === 0) return [{ slug, name, environment: "", status: "waiting", last: null }];
  return environments.map((each) => ({
    slug,
    name,
    environment: each.name,
    status: each.status,
    last: each.last_check_in_at,
  }));
}

const COLORS: Record<string, "green" | "red"> = {
  ok: "green",
  failing: "red",
  missed: "red",
  timeout: "red",
};

const ping: Command = {
  name: "monitors ping",
  summary: "Send a check-in of a job",
  arguments: ["SLUG"],
  options: {
    status: { type: "string", value: "STATUS", help: "ok unless given", choices: STATUSES },
    message: { type: "string", value: "TEXT", help: "a text that is kept with the check-in" },
    ...ENVIRONMENT,
  },
  async run(context) {
    const status = context.choice("status", STATUSES) ?? "ok";
    const monitor = await readMonitor(context);
    await checkIn(context.api().server, monitor, {
      outcome: OUTCOMES[status],
      environment: context.text("environment"),
      text: context.text("message"),
    });
    if (context.json) return writeJson(await readMonitor(context));
    writeLine(oneLine(`Monitor ${monitor.slug}: ${status}.`));
  },
};

const run: Command = {
  name: "monitors run",
  summary: "Run a command and send check-ins when it begins and ends",
  arguments: ["SLUG", "-- COMMAND…"],
  options: ENVIRONMENT,
  run: (context) =>
    runMonitored(context.words.slice(1), {
      server: () => context.api().server,
      readMonitor: (patience) => readMonitor(context, patience),
      environment: context.text("environment"),
    }),
};

export const monitorCommands = [list, ping, run];

function readMonitor(
  { api, projectPath, words: [slug = ""] }: Context,
  patience: Patience = {},
): Promise<Monitor> {
  const path = `${projectPath()}/monitors/${encodeURIComponent(slug)}`;
  return openApi(api().server, patience).get<Monitor>(path);
}
