import { stat } from "node:fs/promises";
import { sql } from "kysely";
import { IMPORT_KINDS } from "../../../shared/import-kinds.ts";
import type { Config } from "../../config/config.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { connect, type Db } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { readProjectRules } from "../../ingest/project-rules/project-rules.ts";
import { importInto } from "../../integrations/transfer/import/import-into.ts";
import { ImportError, type ImportInput, type LeftOut } from "../../integrations/transfer/import/item.ts";
import { loadSource } from "../../integrations/transfer/import/sources/load-source.ts";
import type { ImportCounts } from "../../integrations/transfer/import/run-import.ts";
import { findProject } from "../../people/projects/find-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { importFromExport } from "./import-export.ts";
import { readAddresses } from "./read-addresses.ts";

type ImportArguments = {
  kind: string;
  /** A file or an address. */
  from: string;
  project: string;
  isDryRun: boolean;
  as?: string | undefined;
  people?: string | undefined;
  map?: string | undefined;
  sourceProject?: string | undefined;
};

type Output = { print(line: string): void; report(line: string): void };

/**
 * `import`: prints the counts to stdout, and progress and the rows that are left out to stderr. Can run while the server is
 * running. Exit code 0: everything is imported; 3: rows were left out, or the import stopped and can be repeated; 1: nothing
 * was done.
 */
export async function runImportCommand(config: Config, args: ImportArguments): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.directUrl);
    // A batch waits for other changes of the project.
    const database = connect(source.directUrl, (error) => log.warn({ err: error }), { lockTimeout: "8s" });
    try {
      process.exitCode = await importFrom(database.db, config, args, {
        print: (line) => process.stdout.write(`${line}\n`),
        report: (line) => process.stderr.write(`${line}\n`),
      });
    } finally {
      await database.close();
    }
  } finally {
    await source.stop();
  }
}

const LEFT_OUT = 3;
const PROGRESS_MS = 2_000;

/** Returns the exit code. Throws StartError if nothing can be imported. */
async function importFrom(
  db: Db,
  config: Config,
  args: ImportArguments,
  { print, report }: Output,
): Promise<number> {
  const kind = IMPORT_KINDS.find((name) => name === args.kind);
  const source = kind && (await loadSource(kind));
  if (kind === undefined || (source === undefined && kind !== "signalbox"))
    throw new StartError(`There is no kind ${args.kind}. The kinds are ${IMPORT_KINDS.join(", ")}.`);
  const input = await openInput(args.from);
  const project = await findProject(db, args.project);
  if (!project) throw new StartError(`There is no project ${args.project}.`);
  let counts: ImportCounts | undefined;
  let due = performance.now() + PROGRESS_MS;
  const options = {
    map: readMap(args.map),
    from: args.sourceProject ?? null,
    privacyRules: (await readProjectRules(db, project.id)).privacyRules,
    signal: interruptSignal(),
  };
  const addresses = args.people === undefined ? new Map<string, string>() : await readAddresses(args.people);
  const fallbackAuthorId = await findAuthor(db, project, args.as);
  if (!args.isDryRun)
    await recordAudit(db, {
      kind: "import.started",
      project_id: project.id,
      subject: { type: "project", id: project.id, name: project.key },
      details: { kind },
    });
  try {
    const common = {
      project,
      addresses,
      fallbackAuthorId,
      isDryRun: args.isDryRun,
      signal: options.signal,
      onLeftOut: ({ where, reason }: LeftOut) => report(`Left out: ${where}: ${reason}`),
      onProgress: (progress: Readonly<ImportCounts>) => {
        counts = progress;
        if (performance.now() < due) return;
        due = performance.now() + PROGRESS_MS;
        report(`${totalOf(progress).toLocaleString("en")} done`);
      },
    };
    const result = await (source === undefined
      ? importFromExport(db, config, { ...common, file: pathOf(input) })
      : importInto(db, {
          ...common,
          kind,
          items: source(input, options),
          retentionDays: config.retentionDays,
          onNote: ({ where, text }) => report(`${where}: ${text}`),
        }));
    printUnmatched(result.unmatched, report);
    if (args.isDryRun) report("This was a dry run. Nothing was imported.");
    printCounts(result.counts, print);
    return result.counts.left_out > 0 ? LEFT_OUT : 0;
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined) throw error;
    if (counts === undefined || args.isDryRun) throw new StartError(message, error);
    const next = options.signal.aborted
      ? "Repeat the command to continue."
      : "What has been imported stays. Solve this, then repeat the command to continue.";
    report(`Stopped: ${message} ${next}`);
    printCounts(counts, print);
    return LEFT_OUT;
  }
}

/** Aborted by Ctrl+C, so that the batch in progress is committed and the counts are printed. A second Ctrl+C ends the process at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => controller.abort(new ImportError("The import was interrupted.")));
  return controller.signal;
}

function pathOf(input: ImportInput): string {
  if ("path" in input) return input.path;
  throw new StartError("An export is imported from a file.");
}

/** What the operator can do something about; undefined for a bug. */
const messageOf = (error: unknown): string | undefined =>
  error instanceof ImportError ? error.message : undefined;

async function openInput(from: string): Promise<ImportInput> {
  const token = process.env["IMPORT_TOKEN"] ?? null;
  if (from === "linear") return { url: new URL("https://api.linear.app/graphql"), token };
  if (/^https?:\/\//.test(from)) {
    if (!URL.canParse(from)) throw new StartError(`${from} is not a valid address.`);
    return { url: new URL(from), token };
  }
  const file = await stat(from).catch(() => undefined);
  if (!file?.isFile()) throw new StartError(`There is no file ${from}.`);
  return { path: from };
}

/** `title=Column,description=Other column`. A comma that no field follows belongs to the column's name. */
function readMap(map = ""): Record<string, string> {
  const pairs = map === "" ? [] : map.split(/,(?=[a-z_]+=)/);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, field = "", column = ""] = /^([a-z_]+)=(.*)$/s.exec(pair) ?? [];
      if (field === "") throw new StartError(`--map takes field=Column, separated by commas, not ${pair}.`);
      return [field, column.trim()];
    }),
  );
}

async function findAuthor(
  db: Db,
  project: { id: number; key: string },
  email: string | undefined,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u join project_grants g on g.user_id = u.id
    left join project_members m on m.user_id = u.id and m.project_id = g.project_id
    where g.project_id = ${project.id}
      and ${email === undefined ? sql`g.is_all` : sql`fold_case(u.email) = fold_case(${email})`}
    order by m.is_owner desc nulls last, m.created_at, u.id limit 1`.execute(db);
  const [user] = rows;
  if (user) return user.id;
  throw new StartError(
    email === undefined
      ? `${project.key} has no owner. Name the author of comments by unknown people with --as.`
      : `${email} cannot access ${project.key}.`,
  );
}

const totalOf = ({ issues, reports, error_groups, already_there, left_out }: Readonly<ImportCounts>) =>
  issues + reports + error_groups + already_there + left_out;

function printCounts(counts: Readonly<ImportCounts>, print: Output["print"]): void {
  const created = (["issues", "reports", "error_groups", "comments"] as const)
    .map((name) => `${counts[name].toLocaleString("en")} ${name.replace("_", " ")}`)
    .join(", ");
  print(`Created: ${created}`);
  print(`Already there: ${counts.already_there.toLocaleString("en")}`);
  print(`Left out: ${counts.left_out.toLocaleString("en")}`);
}

const MAX_NAMES = 20;

function printUnmatched(unmatched: ReadonlyMap<string, number>, report: Output["report"]): void {
  if (unmatched.size === 0) return;
  const names = [...unmatched.keys()].slice(0, MAX_NAMES).join(", ");
  const more = unmatched.size > MAX_NAMES ? ` and ${unmatched.size - MAX_NAMES} more` : "";
  report(`Without an account in the project: ${names}${more}. --people FILE can give their addresses.`);
}
