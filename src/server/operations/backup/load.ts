import pg from "pg";
import { StartError } from "../../config/start-error.ts";
import { readForeignKeys, readTables } from "./catalog.ts";
import { copyIn, type CopyIn } from "./copy.ts";
import type { Manifest } from "./manifest.ts";

/** Tables being filled in one transaction. */
export type Load = {
  /** A part of a table's rows; a table's parts come one after the other. */
  add(table: string, part: AsyncIterable<Buffer>): Promise<void>;
  /** Checks that everything came and every key holds, and commits. Returns the number of rows. */
  commit(): Promise<number>;
};

/**
 * Begins the transaction and makes the tables ready. Foreign keys are dropped and made again, which checks them at
 * once and leaves the tables in any order; triggers that are ours are off. Both are an owner's right, unlike
 * session_replication_role. Throws StartError when somebody is set up here already.
 */
export async function loadTables(client: pg.Client, manifest: Manifest): Promise<Load> {
  await client.query("begin");
  // A first set-up waits for the lock, and then finds somebody.
  await client.query("lock table users, workspaces in access exclusive mode");
  await refuseInUse(client);
  const tables = await checkTables(client, manifest);
  const keys = await readForeignKeys(client);
  const each = (names: string[], text: (name: string) => string) =>
    client.query(names.map((name) => text(pg.escapeIdentifier(name))).join(";"));
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await each(tables, (table) => `alter table ${table} disable trigger user`);
  // Not for people's data, of which there is none: the jobs of a start note their runs.
  await client.query(`truncate ${tables.map((table) => pg.escapeIdentifier(table)).join(", ")}`);
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

/** Throws StartError when somebody is set up here. */
export async function refuseInUse(client: pg.Client): Promise<void> {
  const there = await client.query(
    "select to_regclass('users') is not null and to_regclass('workspaces') is not null as yes",
  );
  if (!there.rows[0].yes) return;
  const { rows } = await client.query(
    "select exists (select from users) or exists (select from workspaces) as used",
  );
  if (rows[0].used)
    throw new StartError(
      "This installation is in use: a backup is restored into an empty one only. Name another database or another DATA_DIR.",
    );
}

/** Every table of the database, when those of the archive are among them. */
async function checkTables(client: pg.Client, manifest: Manifest): Promise<string[]> {
  const tables = await readTables(client);
  const known = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  for (const { name, columns } of manifest.tables)
    if (!columns.every((column) => known.get(name)?.has(column)))
      throw new StartError(`The backup's table ${name} does not fit its schema. Nothing was changed.`);
  return tables.map((table) => table.name);
}

/** One statement for all parts of a table. */
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
  new StartError(`The backup's table ${table} is not complete. Nothing was changed.`);
