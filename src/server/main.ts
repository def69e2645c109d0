import { enableCompileCache } from "node:module";
import path from "node:path";
import { parseArgs } from "node:util";
import { readConfig, type Config } from "./config.ts";
import { openPool } from "./db/connect.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase } from "./db/open.ts";
import { makeLogger } from "./log.ts";
import { runRetention } from "./retention/retention.ts";
import { StartError } from "./start-error.ts";

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
    run: async (config, { web = false, jobs = false }) => {
      // Loaded only here: what serving takes would double the time of every other command and of a refused start.
      // Compiled code is kept beside the packages, where nobody but the installer writes: half of a start is compiling.
      enableCompileCache(path.join(import.meta.dirname, "../../node_modules/.cache/signalbox"));
      const { serve } = await import("./serve.ts");
      await serve(config, { web: web || !jobs, jobs: jobs || !web });
    },
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
    const pool = openPool(source.url, (error) => log.warn({ err: error }), {
      max: 1,
      statement_timeout: 60_000,
    });
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
  if (name === "--help") return print(USAGE);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(name === "" ? USAGE : `There is no command ${name}.\n\n${USAGE}`);
  await command.run(readConfig(process.env), readFlags(rest, command.flags));
}

/** The command line is wrong. */
class UsageError extends Error {}

function readFlags(args: string[], flags: (keyof Flags)[]): Flags {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" as const }]));
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  const expected = error instanceof StartError || error instanceof UsageError;
  process.stderr.write(`${expected ? error.message : String(error.stack)}\n`);
  // At once: what is still open must not keep a failed start alive.
  process.exit(error instanceof UsageError ? 2 : 1);
});
