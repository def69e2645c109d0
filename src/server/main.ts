import { parseArgs } from "node:util";
import { isOutage } from "./answers/outage.ts";
import { readConfig, type Config } from "./config/config.ts";
import { openDatabase } from "./db/open-database.ts";
import { makeLogger } from "./config/make-logger.ts";
import { StartError } from "./config/start-error.ts";

/** How this program is called. */
const PROGRAM = process.env["SIGNALBOX_PACKAGED"] === undefined ? "npm run signalbox --" : "signalbox";

const USAGE = `Usage: ${PROGRAM} COMMAND

  serve [--web | --jobs]  run the server: API, web app and background jobs, or only one part
  migrate                 migrate the database to this version
  demo [--anyway]         fill a workspace with sample data; --anyway: although there are users already
  retention [--anyway]    delete data older than the retention window now; --anyway: skip the safety check
  backup [FILE]           write the database and all files to one archive; - writes to stdout; without FILE to
                          the folder or store of BACKUP_URL
  backup --verify FILE    check that a backup is complete and undamaged
  restore FILE            restore a backup into an empty installation
  export --project KEY FILE
                          write everything in a project to an archive; - writes to stdout
  doctor                  check the installation and suggest fixes
  reset-password EMAIL [--second-factor]
                          set a new password and print it; --second-factor: also turn off the second factor
  explain-map --project KEY [--release VERSION] [--debug-id ID] FILE:LINE:COLUMN
                          show how source maps map a place in a minified file, or why not
  import KIND FILE|URL --project KEY [--dry-run] [--as EMAIL] [--people FILE] [--map FIELD=COLUMN,…] [--from SLUG]
                          import from another tracker; IMPORT_TOKEN is its token; see docs/moving.md
  upgrade FILE [--wait SECONDS]
                          replace the one file of the running server by another version, or go back if that is not
                          ready in time (60 seconds)
  compare sentry URL --project KEY [--days 7] [--json]
                          list what differs from a Sentry-compatible server; IMPORT_TOKEN is its token; see docs/moving.md

All commands except serve, migrate and restore also work while the server is running.
Settings come from the environment and from .env; see docs/running.md.`;

type Flags = {
  web?: boolean;
  jobs?: boolean;
  anyway?: boolean;
  verify?: boolean;
  "second-factor"?: boolean;
  "dry-run"?: boolean;
  json?: boolean;
};
/** Options with a value. */
type Values = {
  project?: string;
  release?: string;
  "debug-id"?: string;
  as?: string;
  people?: string;
  map?: string;
  from?: string;
  days?: string;
  wait?: string;
};
type Command = {
  flags?: (keyof Flags)[];
  values?: (keyof Values)[];
  /** The name of the argument that the command requires. */
  argument?: string;
  /** The argument may be left out. */
  isOptional?: boolean;
  /** Takes a second argument, which is required. */
  hasSecond?: boolean;
  run: (config: Config, options: Flags & Values, argument: string, second: string) => Promise<void>;
};

/** Each imports what it runs: loading the server would double the time of other commands and of a start that fails. */
const COMMANDS: Record<string, Command> = {
  serve: {
    flags: ["web", "jobs"],
    run: async (config, { web = false, jobs = false }) => {
      const { serve } = await import("./start/serve.ts");
      await serve(config, { web: web || !jobs, jobs: jobs || !web });
    },
  },
  migrate: { run: (config) => runMigrate(config) },
  demo: {
    flags: ["anyway"],
    run: async (config, { anyway = false }) => (await import("./demo/run-demo.ts")).runDemo(config, anyway),
  },
  retention: {
    flags: ["anyway"],
    run: async (config, { anyway = false }) => {
      const { runRetentionNow } = await import("./errors/retention/run-retention-now.ts");
      const { outcome, message } = await runRetentionNow(config, anyway);
      print(message);
      if (outcome === "refused") process.exitCode = 1;
    },
  },
  backup: {
    flags: ["verify"],
    argument: "FILE",
    isOptional: true,
    run: async (config, { verify = false }, file) => {
      const commands = await import("./commands/backup/commands.ts");
      if (verify && file === "") throw new UsageError(`Usage: ${PROGRAM} backup --verify FILE`);
      if (verify) await commands.runVerify(file);
      else await (file === "" ? commands.runBackupToPlace(config) : commands.runBackup(config, file));
    },
  },
  restore: {
    argument: "FILE",
    run: async (config, _flags, file) =>
      (await import("./commands/backup/commands.ts")).runRestore(config, file),
  },
  export: {
    argument: "--project KEY FILE",
    values: ["project"],
    run: async (config, { project }, file) => {
      if (project === undefined) throw new UsageError("export requires --project.");
      await (await import("./commands/export/run-export.ts")).runExport(config, project, file);
    },
  },
  upgrade: {
    argument: "FILE",
    values: ["wait"],
    run: async (config, { wait = "60" }, file) => {
      if (!/^[1-9]\d{0,4}$/.test(wait)) throw new UsageError("--wait takes a number of seconds.");
      await (await import("./commands/upgrade/upgrade.ts")).runUpgrade(config, file, Number(wait));
    },
  },
  doctor: { run: async (config) => (await import("./commands/doctor/doctor.ts")).runDoctor(config) },
  "reset-password": {
    argument: "EMAIL",
    flags: ["second-factor"],
    run: async (config, flags, email) =>
      (await import("./commands/reset-password/reset-password.ts")).runResetPassword(
        config,
        email,
        flags["second-factor"] ?? false,
      ),
  },
  "explain-map": {
    argument: "--project KEY [--release VERSION] [--debug-id ID] FILE:LINE:COLUMN",
    values: ["project", "release", "debug-id"],
    run: async (config, { project, release, "debug-id": debugId }, place) => {
      if (project === undefined) throw new UsageError("explain-map requires --project.");
      const { runExplainMap } = await import("./commands/explain-map/explain-map.ts");
      await runExplainMap(config, { project, release, debugId, place });
    },
  },
  import: {
    argument: "KIND FILE|URL --project KEY",
    hasSecond: true,
    flags: ["dry-run"],
    values: ["project", "as", "people", "map", "from"],
    run: async (
      config,
      { project, from: sourceProject, "dry-run": isDryRun = false, ...options },
      kind,
      from,
    ) => {
      if (project === undefined) throw new UsageError("import requires --project.");
      const { runImportCommand } = await import("./commands/import/import.ts");
      await runImportCommand(config, { kind, from, project, sourceProject, isDryRun, ...options });
    },
  },
  compare: {
    argument: "sentry URL --project KEY",
    hasSecond: true,
    flags: ["json"],
    values: ["project", "days"],
    run: async (config, { project, days, json: isJson = false }, kind, url) => {
      if (project === undefined) throw new UsageError("compare requires --project.");
      const { runCompare } = await import("./commands/compare/compare.ts");
      await runCompare(config, { kind, url, project, days, isJson });
    },
  },
};

async function runMigrate(config: Config) {
  const { migrate } = await import("./db/migrate.ts");
  const { requireSameDatabase } = await import("./db/require-same-database.ts");
  const source = await openDatabase(config, makeLogger(config.logLevel));
  try {
    await requireSameDatabase(source.url, source.directUrl);
    const steps = await migrate(source.directUrl, undefined, {
      onStep: (name, number, count) => print(`Step ${number} of ${count}: ${name}`),
    });
    print(steps.length === 0 ? "The database is up to date." : `Applied ${steps.join(", ")}.`);
  } finally {
    await source.stop();
  }
}

async function main(args: string[]) {
  const [name = "", ...rest] = args;
  if (name === "--help") return print(USAGE);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(name === "" ? USAGE : `There is no command ${name}.\n\n${USAGE}`);
  const { options, argument, second } = readArguments(name, rest, command);
  await command.run(readConfig(process.env), options, argument, second);
}

/** The command line is invalid. */
class UsageError extends Error {}

type Arguments = { options: Flags & Values; argument: string; second: string };

function readArguments(name: string, args: string[], command: Command): Arguments {
  const { flags = [], values: named = [] } = command;
  const { values, positionals } = parse(args, {
    ...Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" as const }])),
    ...Object.fromEntries(named.map((option) => [option, { type: "string" as const }])),
  });
  const [argument = "", ...others] = positionals;
  const [second = "", ...more] = command.hasSecond === true ? others : ["", ...others];
  if (command.argument === undefined && argument !== "") throw new UsageError(`${name} takes no ${argument}`);
  const isMissing =
    (argument === "" && command.isOptional !== true) || (command.hasSecond === true && second === "");
  if (command.argument !== undefined && (isMissing || more.length > 0))
    throw new UsageError(`Usage: ${PROGRAM} ${name} ${command.argument}`);
  return { options: values, argument, second };
}

function parse(args: string[], options: Record<string, { type: "boolean" | "string" }>) {
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
  process.stderr.write(`${reasonFor(error)}\n`);
  // Exit now, because open connections would keep the process alive.
  process.exit(error instanceof UsageError ? 2 : 1);
});

/** One line, or the stack if the error is a bug. */
function reasonFor(error: Error): string {
  if (error instanceof StartError || error instanceof UsageError) return error.message;
  if (isOutage(error)) return `The database or the storage is unavailable: ${error.message}`;
  return String(error.stack);
}
