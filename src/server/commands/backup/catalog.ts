import type pg from "pg";
import type { Manifest } from "./manifest.ts";

/** Tables that jobs write again after a restore, which empties them. */
const REBUILT_TABLES: Record<string, string> = {
  error_group_locations: "is written again by a background job",
  error_group_locations_progress: "says which events are in error_group_locations",
  error_group_messages: "is written again by a background job",
  error_group_messages_progress: "says which messages are in error_group_messages",
  error_group_rankings: "is written again by a background job",
  error_group_tag_times_progress: "says which events are in error_group_tags.seen_before",
  error_group_tags: "is computed again from the kept events by a background job",
  error_group_tags_progress: "says which events are in error_group_tags",
  error_group_terms: "is written again with error_group_messages",
  workspace_error_group_rankings: "is written again by a background job",
};

/** Tables that a backup leaves out, with the reasons. */
export const EXCLUDED_TABLES: Record<string, string> = {
  ...REBUILT_TABLES,
  schema_migrations: "its content is in the manifest; a restore applies these migrations",
  rate_limits: "counts only requests of the last minute",
  changes:
    "contains live updates of the last minutes, by transaction ids that are valid in this database only",
  background_jobs: "contains the schedule of this installation's background jobs",
  backups: "lists the backups of this installation",
  idempotency_keys: "contains responses of the last day, for requests to this installation",
  session_writes: "contains the ids of what this installation's servers have written in the last hour",
  used_challenges: "contains what public forms accepted in the last minutes",
  file_deletions: "lists files to delete, which are not in the archive",
};

export type Table = {
  name: string;
  /** The columns of each table, without generated ones, which the database recomputes. */
  columns: string[];
};

export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all($1)
    group by c.relname order by c.relname`,
    [Object.keys(EXCLUDED_TABLES)],
  );
  return rows;
}

/** The names of the tables that jobs write again, as far as the schema has them. */
export async function readRebuiltTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1)",
    [Object.keys(REBUILT_TABLES)],
  );
  return rows.map(({ name }) => name);
}

/** A column with this name contains the key of a file in storage. */
export const FILE_KEY = "storage_key";

export const tablesWithFiles = (tables: Table[]): Table[] =>
  tables.filter((table) => table.columns.includes(FILE_KEY));

export async function readSequences(client: pg.Client): Promise<Manifest["sequences"]> {
  const { rows } = await client.query<Manifest["sequences"][number]>(
    `select sequencename::text as name, last_value::text from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return rows;
}

/** Applied migrations; empty for a database without Signalbox. */
export async function readAppliedMigrations(client: pg.Client): Promise<Manifest["migrations"]> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as there");
  if (!rows[0].there) return [];
  const applied = await client.query<Manifest["migrations"][number]>(
    "select version, name from schema_migrations order by version",
  );
  return applied.rows;
}

export type ForeignKey = { table: string; name: string; definition: string };

/** All foreign keys. Names are quoted; `definition` recreates the constraint. */
export async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
    order by conrelid::regclass::text, conname`,
  );
  return rows;
}
