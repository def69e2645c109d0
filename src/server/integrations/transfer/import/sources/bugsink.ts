import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ImportError, type ImportedErrorGroup, type Source } from "../item.ts";
import { readNames, readSentEvent } from "./sentry-event.ts";

type Row = Record<string, unknown>;

/** The tables that are read, with the columns that are needed. */
const TABLES = {
  projects_project: ["id", "slug"],
  issues_issue: [
    "id",
    "project_id",
    "digest_order",
    "calculated_type",
    "calculated_value",
    "digested_event_count",
    "first_seen",
    "last_seen",
    "is_resolved",
    "is_muted",
  ],
  events_event: ["issue_id", "digest_order", "data"],
} as const;

/**
 * The issues of Bugsink, from its SQLite database, which is only read. The latest event that Bugsink kept of an issue gives the
 * trace and the fingerprint, unless events are stored outside of the database.
 */
export const bugsink: Source = async function* readIssues(input, { from, privacyRules }) {
  if (!("path" in input)) throw new ImportError("Give Bugsink's database, for example db.sqlite3.");
  const database = await openDatabase(input.path);
  try {
    checkTables(database);
    const project = findProject(database, from);
    for (const row of selectIssues(database, project.id)) yield toGroup(row, project.slug, privacyRules);
  } catch (error) {
    throw error instanceof Error && "errcode" in error
      ? new ImportError(`The database cannot be read: ${error.message}.`, { cause: error })
      : error;
  } finally {
    database.close();
  }
};

async function openDatabase(path: string): Promise<DatabaseSync> {
  if (!existsSync(path)) throw new ImportError(`There is no file ${path}.`);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path, { readOnly: true, enableForeignKeyConstraints: false });
  // The file may be hostile: its schema must not call functions.
  database.exec("pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on");
  return database;
}

/** Views and generated columns would run code of the file. */
function checkTables(database: DatabaseSync): void {
  const types = database.prepare("select name, type, sql from sqlite_schema").all();
  for (const [table, columns] of Object.entries(TABLES)) {
    const entry = types.find(({ name }) => name === table);
    const isTable = entry?.["type"] === "table" && /^create table/i.test(String(entry["sql"]));
    const names = isTable
      ? database.prepare("select name from pragma_table_xinfo(?) where hidden = 0").all(table)
      : [];
    const missing = columns.find((column) => !names.some(({ name }) => name === column));
    if (missing !== undefined)
      throw new ImportError(
        `The file is not a database of Bugsink 2: the ${isTable ? `column ${table}.${missing}` : `table ${table}`} is missing.`,
      );
  }
}

function findProject(database: DatabaseSync, from: string | null): { id: string; slug: string } {
  const projects = database
    .prepare("select cast(id as text) as id, slug from projects_project order by slug limit 1000")
    .all()
    .map(({ id, slug }) => ({ id: String(id), slug: String(slug) }));
  const slugs = projects.map(({ slug }) => slug).join(", ");
  const project = from === null ? projects[0] : projects.find(({ slug }) => slug === from);
  if (!project)
    throw new ImportError(
      from === null ? "The database has no project." : `There is no project ${from}, only ${slugs}.`,
    );
  if (from === null && projects.length > 1)
    throw new ImportError(`The database has several projects. Name one with --from: ${slugs}.`);
  return project;
}

/** Bytes. Longer texts are not read. */
const MAX_TEXT = 1_000_000;

/**
 * The latest event of each issue is the one with the highest number. Numbers are within what JavaScript can represent, because
 * reading a larger one throws.
 */
function selectIssues(database: DatabaseSync, projectId: string): IterableIterator<Row> {
  const columns = database.prepare("select name from pragma_table_xinfo('issues_issue')").all();
  const hasDeleted = columns.some(({ name }) => name === "is_deleted");
  return database
    .prepare(
      `select cast(i.id as text) as id, cast(i.digest_order as text) as digest_order, substr(i.calculated_type, 1, 1000) as type,
        substr(i.calculated_value, 1, 70000) as value,
        min(cast(i.digested_event_count as integer), ${Number.MAX_SAFE_INTEGER}) as event_count,
        cast(i.first_seen as text) as first_seen, cast(i.last_seen as text) as last_seen,
        i.is_resolved = 1 as is_resolved, i.is_muted = 1 as is_muted, e.data
      from issues_issue i
      left join (
        select issue_id, max(digest_order),
          case when octet_length(data) <= ${MAX_TEXT} then data end as data
        from events_event group by issue_id
      ) e on e.issue_id = i.id
      where i.project_id = cast(? as integer) ${hasDeleted ? "and not i.is_deleted" : ""}
      order by i.digest_order`,
    )
    .iterate(projectId);
}

function readEvent({ data }: Row, privacyRules: string | null) {
  if (typeof data !== "string" || data === "") return null;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return null;
  }
  return readSentEvent(event, privacyRules);
}

function toGroup(row: Row, slug: string, privacyRules: string | null): ImportedErrorGroup {
  const type = textOf(row["type"]) || "Error";
  const first = momentOf(row["first_seen"]);
  return {
    item: "error_group",
    ref: { id: String(row["id"]), url: null },
    where: `issue ${slug.toUpperCase()}-${String(row["digest_order"])}`,
    author: null,
    created_at: first,
    updated_at: null,
    comments: [],
    ...readNames(type === "Log Message" ? "Message" : type, textOf(row["value"]), privacyRules),
    event: readEvent(row, privacyRules),
    environment: null,
    release: null,
    level: null,
    status: row["is_resolved"] === 1 ? 1 : row["is_muted"] === 1 ? 2 : 0,
    resolved_at: null,
    occurrence_count: Math.max(1, Number(row["event_count"]) || 1),
    first_seen_at: first,
    last_seen_at: momentOf(row["last_seen"]),
    assignee: null,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Django writes UTC without saying so: `2026-11-29 00:20:21.305722`. */
const momentOf = (value: unknown): string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/.test(value)
    ? `${value.replace(" ", "T")}Z`
    : String(value);
