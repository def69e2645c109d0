import { enableCompileCache } from "node:module";
import path from "node:path";
import { parseArgs } from "node:util";
import { readConfig, type Config } from "./config/config.ts";
import { attachDatabase } from "./db/attach-database.ts";
import { openPool } from "./db/connect.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase } from "./db/open-database.ts";
import { makeLogger } from "./config/make-logger.ts";
import { runRetention } from "./intake/retention/retention.ts";
import { StartError } from "./config/start-error.ts";

const USAGE = `Usage: npm run signalbox -- COMMAND

  serve [--web | --jobs]  the server: API, web app and background jobs, or only one part of it
  migrate                 brings the database to this version
  demo [--anyway]         fills a workspace with made-up work; beside people of one's own only with --anyway
  retention [--anyway]    deletes what is older than the retention window, now, beside a running server
  backup FILE             writes database and files into one archive, beside a running server; - is stdout
  restore FILE            puts a backup into an empty installation
  doctor                  checks the installation and says how to mend it
  reset-password EMAIL [--second-factor]
                          gives a person a new password, and prints it; takes a lost second factor away as well

Settings come from the environment and from .env; see docs/running.md.`;

type Flags = { web?: boolean; jobs?: boolean; anyway?: boolean; "second-factor"?: boolean };
type Command = {
  flags?: (keyof Flags)[];
  /** What the one word after the command is called, for a command that needs one. */
  argument?: string;
  run: (config: Config, flags: Flags, argument: string) => Promise<void>;
};

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
  migrate: { run: (config) => runMigrate(config) },
  demo: {
    flags: ["anyway"],
    run: async (config, { anyway = false }) =>
      (await import("./operations/demo/demo.ts")).runDemo(config, anyway),
  },
  retention: { flags: ["anyway"], run: (config, { anyway = false }) => runRetentionNow(config, anyway) },
  backup: {
    argument: "FILE",
    run: async (config, _flags, file) =>
      (await import("./operations/backup/commands.ts")).runBackup(config, file),
  },
  restore: {
    argument: "FILE",
    run: async (config, _flags, file) =>
      (await import("./operations/backup/commands.ts")).runRestore(config, file),
  },
  doctor: { run: async (config) => (await import("./operations/doctor/doctor.ts")).runDoctor(config) },
  "reset-password": {
    argument: "EMAIL",
    flags: ["second-factor"],
    run: async (config, flags, email) =>
      (await import("./operations/reset-password/reset-password.ts")).runResetPassword(
        config,
        email,
        flags["second-factor"] ?? false,
      ),
  },
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

/** Beside a running server, too: it is the way on when that one's own run refuses. */
async function runRetentionNow(config: Config, anyway: boolean) {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.url);
    const pool = openPool(source.url, (error) => log.warn({ err: error }), {
      max: 1,
      statement_timeout: 60_000,
    });
    const { outcome, message } = await runRetention(pool, config.retentionDays, { anyway });
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
  const { flags, argument } = readArguments(name, rest, command);
  await command.run(readConfig(process.env), flags, argument);
}

/** The command line is wrong. */
class UsageError extends Error {}

function readArguments(name: string, args: string[], command: Command): { flags: Flags; argument: string } {
  const options = Object.fromEntries(
    (command.flags ?? []).map((flag) => [flag, { type: "boolean" as const }]),
  );
  const { values, positionals } = parse(args, options);
  const [argument = "", ...more] = positionals;
  if (command.argument === undefined && argument !== "") throw new UsageError(`${name} takes no ${argument}`);
  if (command.argument !== undefined && (argument === "" || more.length > 0))
    throw new UsageError(`Usage: npm run signalbox -- ${name} ${command.argument}`);
  return { flags: values, argument };
}

function parse(args: string[], options: Record<string, { type: "boolean" }>) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
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
