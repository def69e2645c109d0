import { access, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { makeToken, randomSecret, sha256 } from "../../src/server/access/tokens.ts";
import { migrate } from "../../src/server/db/migrate.ts";
import { startEmbedded } from "../../src/server/postgres/embedded.ts";
import { BUILT_IN_ROLES } from "../../src/shared/permissions.ts";
import { startServer, type BenchServer } from "../server.ts";
import { fillSteps, type Step } from "./fill.ts";
import { OWN_PROJECTS, type Sizes } from "./sizes.ts";

/** Used while filling only; a crash meanwhile means filling again. */
const FAST = {
  fsync: "off",
  autovacuum: "off",
  shared_buffers: "1GB",
  max_wal_size: "8GB",
  checkpoint_timeout: "1h",
  work_mem: "256MB",
  maintenance_work_mem: "512MB",
};

/** What the requests need to know of an installation: one project of average size, and one of each kind of thing in it. */
export type Samples = {
  /** Cookies of sessions. */
  admin: string;
  member: string;
  project: number;
  largest: number;
  issue: number;
  group: number;
  event: number;
  /** A read-write token for each project. */
  senders: { projectId: number; token: string }[];
};

export type Installation = { name: string; server: BenchServer; known: Samples; bytes: number };

/** Fills the folder unless that was done before, and starts the server on it. */
export async function openInstallation(name: string, folder: string, sizes: Sizes): Promise<Installation> {
  const filled = path.join(folder, "filled");
  if (
    !(await access(filled).then(
      () => true,
      () => false,
    ))
  ) {
    // What an earlier run has left that did not finish.
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await fill(name, folder, sizes);
    await writeFile(filled, "");
  }
  const { known, bytes } = await withDatabase(folder, {}, (client) => readKnown(client, sizes));
  return { name, server: await startServer(folder), known, bytes };
}

async function withDatabase<T>(
  folder: string,
  settings: Record<string, string>,
  use: (client: pg.Client, url: string) => Promise<T>,
): Promise<T> {
  const database = await startEmbedded({ dataDir: folder, log: () => {}, settings });
  try {
    return await withClient(database.url, (client) => use(client, database.url));
  } finally {
    await database.stop();
  }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const WITHOUT_TRIGGERS: Step = ["without triggers", "set session_replication_role = replica"];
const VACUUM: Step = ["vacuum", "vacuum analyze"];

async function run(client: pg.Client, steps: Step[]) {
  for (const [step, statement] of steps) {
    const from = performance.now();
    await client.query(statement).catch((error: unknown) => {
      throw new Error(`${step} failed`, { cause: error });
    });
    const seconds = (performance.now() - from) / 1000;
    if (seconds > 10) console.log(`    ${step}: ${seconds.toFixed(0)} s`);
  }
}

async function fill(name: string, folder: string, sizes: Sizes) {
  const start = performance.now();
  await withDatabase(folder, FAST, async (client, url) => {
    await migrate(url);
    await run(client, [WITHOUT_TRIGGERS]);
    await makeWorkspace(client);
    // Filling a GIN index afterwards takes a fraction of the time.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      "select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public' and indexdef like '% USING gin %'",
    );
    for (const index of indexes) await client.query(`drop index ${index.name}`);
    const { first, prepare, parts, last } = fillSteps(sizes);
    await run(client, first);
    await Promise.all(
      parts.map((part) => withClient(url, (other) => run(other, [WITHOUT_TRIGGERS, ...prepare, ...part]))),
    );
    await run(client, [...last, ...indexes.map(({ name, definition }): Step => [name, definition]), VACUUM]);
  });
  console.log(`  filled the ${name} installation in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

async function makeWorkspace(client: pg.Client) {
  await client.query(`
    insert into workspaces (id, name) overriding system value values (1, 'Bench');
    insert into users (id, username, email, first_name, last_name) overriding system value
    values (1, 'ada', 'ada@example.com', 'Ada', 'Moss');
    insert into workspace_members (workspace_id, user_id, is_admin) values (1, 1, true)`);
  for (const { name, permissions } of BUILT_IN_ROLES)
    await client.query(
      "insert into roles (workspace_id, name, permissions, built_in) values (1, $1, $2, true)",
      [name, permissions],
    );
}

async function readKnown(client: pg.Client, { projects }: Sizes): Promise<{ known: Samples; bytes: number }> {
  const project = Math.round((2.5 / OWN_PROJECTS) * projects);
  const { rows } = await client.query<{ issue: string; group: string; event: string; bytes: string }>(
    `select pg_database_size(current_database()) as bytes, g.id as "group",
       (select max(id) from issues where project_id = $1) as issue,
       (select min(id) from error_events where group_id = g.id) as event
     from error_groups g where project_id = $1 and occurrence_count > 10 order by id limit 1`,
    [project],
  );
  const [row] = rows;
  if (!row) throw new Error(`project ${project} has no error group`);
  const senders = Array.from({ length: projects }, (_, n) => ({ projectId: n + 1, ...newToken() }));
  await client.query(
    `insert into project_tokens (project_id, name, token_hash, last_four, access, created_by)
     select *, 'read_write', 1 from unnest($1::bigint[], array_fill('bench'::text, array[cardinality($1::bigint[])]), $2::bytea[], $3::text[])`,
    [
      senders.map(({ projectId }) => projectId),
      senders.map(({ hash }) => hash),
      senders.map(({ last }) => last),
    ],
  );
  // Some of the requests need a session.
  const session = async (userId: number) => {
    const secret = randomSecret();
    await client.query(
      "insert into sessions (id_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')",
      [sha256(secret), userId],
    );
    return `signalbox=${secret}`;
  };
  const samples: Samples = {
    admin: await session(1),
    member: await session(2),
    project,
    largest: 1,
    issue: Number(row.issue),
    group: Number(row.group),
    event: Number(row.event),
    senders: senders.map(({ projectId, token }) => ({ projectId, token })),
  };
  return { known: samples, bytes: Number(row.bytes) };
}

function newToken() {
  const { token, token_hash: hash, last_four: last } = makeToken("prj");
  return { token, hash, last };
}
