import type pg from "pg";
import type { Manifest } from "./manifest.ts";

/** Tables that are not state, each with the reason it is left out of a backup. Everything else is in it. */
export const LEFT_OUT: Record<string, string> = {
  schema_migrations: "is in the manifest, and written by the migrations that a restore applies",
  rate_limits: "counts requests of the last minute",
  changes: "tells live pages of the last minutes, by transaction numbers of this very server",
  background_jobs: "says when this installation's background jobs ran and are due",
  file_deletions: "names files that are to be removed, and are not in the archive",
};

export type Table = {
  name: string;
  /** Without generated columns, which the database computes again. */
  columns: string[];
};

/** The tables to back up or restore, as the database has them. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all($1)
    group by c.relname order by c.relname`,
    [Object.keys(LEFT_OUT)],
  );
  return rows;
}

/** A column of this name is the key of a file in the storage. */
export const FILE_KEY = "storage_key";

/** Those of the tables whose rows have a file. */
export const tablesWithFiles = (tables: Table[]): Table[] =>
  tables.filter((table) => table.columns.includes(FILE_KEY));

export async function readSequences(client: pg.Client): Promise<Manifest["sequences"]> {
  const { rows } = await client.query<Manifest["sequences"][number]>(
    `select sequencename::text as name, last_value::text from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return rows;
}

/** The steps that were applied; none in a database that is not ours, or not yet. */
export async function readApplied(client: pg.Client): Promise<Manifest["migrations"]> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as there");
  if (!rows[0].there) return [];
  const applied = await client.query<Manifest["migrations"][number]>(
    "select version, name from schema_migrations order by version",
  );
  return applied.rows;
}

export type ForeignKey = { table: string; name: string; definition: string };

/** Every foreign key, with its table quoted and the text that makes it again. */
export async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
    order by conrelid::regclass::text, conname`,
  );
  return rows;
}
