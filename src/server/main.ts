import { parseArgs } from "node:util";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { connect, openPool } from "./db/connect.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase } from "./db/open.ts";
import { makeLogger } from "./log.ts";
import { runRetention } from "./retention/retention.ts";
import { serve } from "./serve.ts";

const USAGE = `Usage: npm run signalbox -- COMMAND

  serve [--web | --jobs]  the server: API, web app and background jobs, or only one part of it
  migrate                 brings the database to this version
  retention [--anyway]    deletes what is older than the retention window, now

Settings come from the environment and from .env; see docs/running.md.`;

type Flags = { web?: boolean; jobs?: boolean; anyway?: boolean };
type Command = { flags: (keyof Flags)[]; run: (config: Config, flags: Flags) => Promise<void> };

const COMMANDS: Record<string, Command> = {
  serve: {
    flags: ["web", "jobs"],
    run: (config, { web = false, jobs = false }) => serve(config, { web: web || !jobs, jobs: jobs || !web }),
  },
  migrate: { flags: [], run: (config) => runMigrate(config) },
  retention: { flags: ["anyway"], run: (config, { anyway = false }) => runRetentionNow(config, anyway) },
};

async function runMigrate(config: Config) {
  const source = await openDatabase(config, makeLogger(config.logLevel));
  try {
    const steps = await migrate(source.url);
    print(steps.length === 0 ? "The database is up to date." : `Applied ${steps.join(", ")}.`);
  } finally {
    await source.stop();
  }
}

async function runRetentionNow(config: Config, anyway: boolean) {
  const log = makeLogger(config.logLevel);
  const source = await openDatabase(config, log);
  try {
    await migrate(source.url);
    const pool = openPool(source.url, (error) => log.warn({ err: error }), { max: 1, statement_timeout: 60_000 });
    const { outcome, message } = await runRetention(pool, config.retentionDays, anyway);
    await pool.end();
    print(message);
    if (outcome === "refused") process.exitCode = 1;
  } finally {
    await source.stop();
  }
}

async function main(args: string[]) {
  const [name = "", ...rest] = args;
  const command = COMMANDS[name];
  if (!command) return fail(name === "" || name === "--help" ? USAGE : `There is no command ${name}.\n\n${USAGE}`, 2);
  const options = Object.fromEntries(command.flags.map((flag) => [flag, { type: "boolean" as const }]));
  const { values } = parseArgs({ args: rest, options, strict: true });
  await command.run(readConfig(process.env), values);
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}

function fail(message: string, code: number) {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}

main(process.argv.slice(2)).catch((error: NodeJS.ErrnoException) => {
  const expected = error instanceof ConfigError || error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
  fail(expected || error.message.startsWith("Another Signalbox") ? error.message : String(error.stack), 1);
  // What is still open must not keep a failed start alive.
  process.exit();
});
