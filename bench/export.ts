import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../src/server/db/migrate.ts";
import { startEmbedded } from "../src/server/postgres/embedded.ts";

const GROUPS = Number(process.env["BENCH_GROUPS"] ?? 1_000_000);
const BUDGET_MIB = 100;
const SAMPLE_MS = 100;

/** The time and the memory of exporting a project with 1,000,000 error groups. */
export async function benchExport() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  try {
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir };
    await migrate(database.url);
    await fill(database.url);
    console.log(`\nExport of ${GROUPS.toLocaleString("en")} error groups`);
    const empty = await runExport("EMPTY", path.join(dataDir, "empty.tar.gz"), env);
    const result = await runExport("BENCH", path.join(dataDir, "bench.tar.gz"), env);
    const growth = result.peakMib - empty.peakMib;
    console.log(`  ${result.seconds.toFixed(0)} s, ${(result.bytes / 1_048_576).toFixed(0)} MiB`);
    console.log(
      `  highest memory ${result.peakMib.toFixed(0)} MiB, of an empty project ${empty.peakMib.toFixed(0)} MiB: ${growth.toFixed(0)} more (at most ${BUDGET_MIB})`,
    );
    if (growth > BUDGET_MIB) throw new Error("an export takes too much memory");
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Groups with a trace of 2 KB, and counts of a release and a host. */
async function fill(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `with w as (insert into workspaces (name) values ('Bench') returning id)
      insert into projects (workspace_id, key, name) select w.id, key, key from w, unnest(array['BENCH', 'EMPTY']) key returning id`,
    );
    for (const statement of FILL) await client.query(statement, [rows[0]?.id]);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

const FILL = [
  `insert into error_groups (project_id, environment, key, exception_class, release, last_release, latest_message,
    occurrence_count, daily_counts, first_seen_at, last_seen_at, updated_at, last_seen_span)
  select $1::bigint, 'production', sha256(convert_to('group ' || n, 'UTF8')), 'Error' || n % 500, '1.0', '1.1',
    'Message ' || n, 10, array_fill(0, array[90]), now(), now(), now(), date_bin('10 minutes', now(), 'epoch')
  from generate_series(1, ${GROUPS}) n`,
  `insert into error_group_details (group_id, stack_trace, previous_exceptions, event, received_at)
  select id, repeat('#0 /srv/app/src/Place' || id || '.php(12): run()' || e'\\n', 40), '[]', id, now()
  from error_groups where project_id = $1`,
  `insert into error_group_counts (group_id, project_id, releases, hosts)
  select id, project_id, 1, 1 from error_groups where project_id = $1`,
  `insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
  select id, sha256(convert_to('1.1', 'UTF8')), '1.1', 10, now(), now() from error_groups where project_id = $1`,
  `insert into error_group_hosts (group_id, name, count, last_seen_at)
  select id, 'web-1', 10, now() from error_groups where project_id = $1`,
];

async function runExport(key: string, file: string, env: Record<string, string>) {
  const main = path.join(import.meta.dirname, "../src/server/main.ts");
  const started = performance.now();
  const child = spawn(process.execPath, [main, "export", "--project", key, file], {
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  const ended = once(child, "exit");
  let peakMib = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    peakMib = Math.max(peakMib, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
    await Promise.race([ended, pause(SAMPLE_MS)]);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the export ended with ${code}`);
  return { seconds: (performance.now() - started) / 1_000, peakMib, bytes: (await stat(file)).size };
}
