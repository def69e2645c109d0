import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbedded } from "../../src/server/postgres/embedded.ts";
import { migrate } from "../../src/server/db/migrate.ts";

/**
 * One PostgreSQL for a test run (`--test-global-setup`), with a migrated template that each test file clones. A file run
 * alone starts its own. TEST_DATABASE_URL names another server to use instead.
 */
const TEMPLATE = "signalbox_template";
const VARIABLE = "TEST_DATABASE_URL";

let stop: (() => Promise<void>) | undefined;

/** Whether this file runs alone, so that its last database stops the server. */
let isAlone = false;
let databases = 0;

export async function globalSetup(): Promise<void> {
  // Each test file runs in a process of its own, which takes the compiled modules from this folder.
  process.env["NODE_COMPILE_CACHE"] ??= path.join(
    import.meta.dirname,
    "../../node_modules/.cache/node-tests",
  );
  if (process.env[VARIABLE] === undefined) {
    const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-test-"));
    const server = await startEmbedded({
      dataDir,
      log: () => {},
      // Test data need not survive a power failure.
      settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
    });
    process.env[VARIABLE] = server.url;
    await makeConnectingCheap(server.url);
    stop = async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
  }
  await asAdmin(async (client) => {
    await client.query(`drop database if exists ${TEMPLATE}`);
    await client.query(`create database ${TEMPLATE}`);
  });
  await migrate(databaseUrl(TEMPLATE));
}

/** Both sides hash the password for each connection, and tests open thousands. */
async function makeConnectingCheap(url: string) {
  const { username, password } = new URL(url);
  await asAdmin(async (client) => {
    await client.query("set scram_iterations = 1");
    await client.query(`alter user ${username} password '${password}'`);
  }, url);
}

export async function globalTeardown(): Promise<void> {
  await stop?.();
}

/** Creates a migrated database. `drop` ends its connections. */
export async function cloneDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  if (process.env[VARIABLE] === undefined) {
    isAlone = true;
    await globalSetup();
  }
  databases++;
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  // Cloning locks the template, so files that start at the same time wait for each other. Copying files needs a third of
  // the CPU time that copying through the write-ahead log needs.
  await asAdmin((client) => client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`));
  return {
    url: databaseUrl(name),
    drop: async () => {
      await asAdmin((client) => client.query(`drop database if exists ${name} with (force)`));
      if (--databases > 0 || !isAlone) return;
      await globalTeardown();
      delete process.env[VARIABLE];
    },
  };
}

/** Creates an empty database without tables. */
export async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const clone = await cloneDatabase();
  await asAdmin((client) => client.query("drop schema public cascade; create schema public"), clone.url);
  return clone;
}

function databaseUrl(name: string): string {
  const url = new URL(process.env[VARIABLE] as string);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin(work: (client: pg.Client) => Promise<unknown>, url = process.env[VARIABLE] as string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
