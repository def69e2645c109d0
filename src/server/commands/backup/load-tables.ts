import pg from "pg";
import { StartError } from "../../config/start-error.ts";
import { readForeignKeys, readRebuiltTables, readTables } from "./catalog.ts";
import { copyIn, type CopyIn } from "../../db/copy-streams.ts";
import type { Manifest } from "./manifest.ts";

/** A transaction that fills tables. */
export type Load = {
  /** Adds a part of a table's rows. The parts of a table must be added consecutively. */
  add(table: string, part: AsyncIterable<Buffer>): Promise<void>;
  /** Checks row counts and foreign keys, and commits. Returns the number of rows. */
  commit(): Promise<number>;
};

/**
 * Begins the transaction and empties the tables. Foreign keys are dropped and recreated at the end, so that tables can
 * be loaded in any order and each key is checked by one scan. User triggers are disabled. The database owner may do both, while
 * session_replication_role requires a superuser. Throws StartError if the installation is not empty.
 */
export async function loadTables(client: pg.Client, manifest: Manifest): Promise<Load> {
  await client.query("begin");
  // Blocks a concurrent first-run setup, which fails once the restored users are there.
  await client.query("lock table users, workspaces in access exclusive mode");
  await requireEmptyInstallation(client);
  const tables = await checkTables(client, manifest);
  const keys = await readForeignKeys(client);
  const each = (names: string[], text: (name: string) => string) =>
    client.query(names.map((name) => text(pg.escapeIdentifier(name))).join(";"));
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await each(tables, (table) => `alter table ${table} disable trigger user`);
  // There is no user data, but the jobs of a server that was started before may have recorded runs and how far they got.
  const emptied = [...tables, ...(await readRebuiltTables(client))];
  await client.query(`truncate ${emptied.map((table) => pg.escapeIdentifier(table)).join(", ")}`);
  const filling = fill(client, manifest);
  return {
    add: filling.add,
    commit: async () => {
      const rows = await filling.end();
      for (const { name, last_value } of manifest.sequences)
        await client.query("select setval(quote_ident($1)::regclass, $2::bigint)", [name, last_value]);
      await each(tables, (table) => `alter table ${table} enable trigger user`);
      for (const { table, name, definition } of keys)
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      await client.query("commit");
      return rows;
    },
  };
}

/** Throws StartError if there are users or workspaces. */
export async function requireEmptyInstallation(client: pg.Client): Promise<void> {
  const there = await client.query(
    "select to_regclass('users') is not null and to_regclass('workspaces') is not null as yes",
  );
  if (!there.rows[0].yes) return;
  const { rows } = await client.query(
    "select exists (select from users) or exists (select from workspaces) as used",
  );
  if (rows[0].used)
    throw new StartError(
      "This installation is in use: a backup can only be restored into an empty one. Use another database or DATA_DIR.",
    );
}

/** Returns all tables of the database after checking that the archive's tables are among them. */
async function checkTables(client: pg.Client, manifest: Manifest): Promise<string[]> {
  const tables = await readTables(client);
  const known = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  for (const { name, columns } of manifest.tables)
    if (!columns.every((column) => known.get(name)?.has(column)))
      throw new StartError(`The backup's table ${name} does not match the schema. Nothing was changed.`);
  return tables.map((table) => table.name);
}

/** Uses one COPY statement for all parts of a table. */
function fill(client: pg.Client, manifest: Manifest) {
  const expected = new Map(manifest.tables.map((table) => [table.name, table]));
  const loaded = new Set<string>();
  let current: { table: string; copy: CopyIn } | undefined;
  let rows = 0;

  const finish = async () => {
    if (current) {
      const count = await current.copy.end();
      if (count !== expected.get(current.table)?.rows) throw wrongCount(current.table);
      rows += count;
    }
    current = undefined;
  };
  const begin = async (name: string) => {
    const table = expected.get(name);
    if (!table || loaded.has(name)) throw wrongCount(name);
    loaded.add(name);
    const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
    return copyIn(client, `copy ${pg.escapeIdentifier(name)} (${columns}) from stdin`);
  };
  return {
    add: async (table: string, part: AsyncIterable<Buffer>) => {
      if (current?.table !== table) {
        await finish();
        current = { table, copy: await begin(table) };
      }
      for await (const chunk of part) await current.copy.write(chunk);
    },
    end: async () => {
      await finish();
      for (const { name, rows: count } of manifest.tables)
        if (count > 0 && !loaded.has(name)) throw wrongCount(name);
      return rows;
    },
  };
}

const wrongCount = (table: string) =>
  new StartError(`The backup's table ${table} is incomplete. Nothing was changed.`);
