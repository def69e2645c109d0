import { startBareHttp } from "./beside-bare-http.ts";
import { makeEvents, makeNewGroups, type BenchEvent } from "./events.ts";
import { load, prepare, quantile, type LoadResult, type Prepared } from "./load.ts";
import { setUp, startServer, type BenchServer, type Owner, type Usage } from "./server.ts";
import { sqlCeiling } from "./sql-ceiling.ts";

const CONNECTIONS = 128;
const TOKENS = 8;
const GROUPS = 200;
export const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 10);

/** Ingestion end to end, compared with two ceilings from the same run: bare HTTP with JSON, and the SQL alone. */
export async function benchIngest() {
  const cases: [name: string, events: BenchEvent[]][] = [
    [`3 KB, ${GROUPS} groups by Zipf`, makeEvents(4_000, GROUPS, 3_000)],
    [`11 KB, ${GROUPS} groups by Zipf`, makeEvents(1_500, GROUPS, 11_000)],
    [`50 KB, ${GROUPS} groups by Zipf`, makeEvents(400, GROUPS, 50_000)],
    ["3 KB, every event a new group until there are 10,000", makeNewGroups(10_000, 3_000)],
    ["3 KB, all in one group", makeEvents(4_000, 1, 3_000)],
  ];
  for (const [name, events] of cases) {
    console.log(`\nIngest, events of ${name}: ${CONNECTIONS} connections, ${TOKENS} tokens`);
    const http = await httpCeiling(events);
    report("ceiling: HTTP and JSON.parse", http);
    const sql = await sqlCeiling(events, SECONDS / 2);
    console.log(`  ceiling: coalesced SQL alone   ${format(sql)} events/s`);
    const total = await endToEnd(events);
    console.log(
      `  ratio to HTTP ${(total / (http.ok / http.seconds)).toFixed(2)}, to SQL ${(total / sql).toFixed(2)}`,
    );
  }
}

async function endToEnd(events: BenchEvent[]): Promise<number> {
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    const targets = await makeTargets(owner);
    const requests = requestsFor(events, targets);
    const run = (seconds: number) =>
      load({
        port: server.port,
        connections: CONNECTIONS,
        seconds,
        expectedStatus: 202,
        next: (n) => requests[n % requests.length] as Prepared,
      });
    const warmUp = await run(2);
    const watch = await watchUsage(server);
    const result = await run(SECONDS);
    const { memory, cpu } = await watch.stop();
    report("Signalbox, until commit", result);
    const perEvent = (seconds: number) => `${((seconds / result.ok) * 1e6).toFixed(0)} µs`;
    console.log(
      `    CPU time per event: server ${perEvent(cpu.server)}, PostgreSQL ${perEvent(cpu.postgres)}`,
    );
    console.log(
      `    peak memory ${(memory.server + memory.postgres).toFixed(0)} MiB: server ${memory.server.toFixed(0)}, PostgreSQL ${memory.postgres.toFixed(0)}`,
    );
    const others = [...warmUp.other, ...result.other];
    if (others.length > 0) console.log("    other statuses:", others);
    await checkCounts(owner, targets[0]?.projectId ?? 0, events, [warmUp, result]);
    return result.ok / result.seconds;
  } finally {
    await server.stop();
  }
}

type Target = { projectId: number; token: string };

/** Several tokens of one project, as for several hosts. */
export async function makeTargets(owner: Owner, tokens = TOKENS): Promise<Target[]> {
  const { id } = (await owner.post("/api/projects", { key: "BENCH", name: "Bench" })) as { id: number };
  const targets: Target[] = [];
  for (let n = 0; n < tokens; n++) {
    const created = await owner.post(`/api/projects/${id}/tokens`, {
      name: `host ${n}`,
      access: "read_write",
    });
    targets.push({ projectId: id, token: (created as { token: string }).token });
  }
  return targets;
}

export function requestsFor(events: BenchEvent[], targets: Target[]): Prepared[] {
  return events.map(({ body, group }, n) => {
    const { projectId, token } = targets[n % targets.length] as Target;
    return prepare(`/api/projects/${projectId}/error-events`, token, body, group);
  });
}

/** Verifies that nothing was lost or counted twice: each group's counts equal the acknowledged events. */
async function checkCounts(owner: Owner, projectId: number, events: BenchEvent[], runs: LoadResult[]) {
  const rows = await readGroups(owner, projectId);
  const counted = new Map(rows.map((row) => [row.exception_class, row]));
  let wrong = 0;
  let total = 0;
  for (const group of new Set(events.map((event) => event.group))) {
    const acknowledged = runs.reduce((sum, run) => sum + (run.okByTag.get(group) ?? 0), 0);
    const row = counted.get(`Acme\\Service${group}\\Failure`);
    const days = row?.daily_counts.reduce((sum, count) => sum + count, 0) ?? 0;
    if ((row?.occurrence_count ?? 0) !== acknowledged || days !== acknowledged) wrong++;
    total += acknowledged;
  }
  console.log(`    counts: ${format(total)} acknowledged, ${wrong} of ${rows.length} groups differ`);
  if (wrong > 0) throw new Error("counts differ from what was acknowledged");
}

type GroupRow = { exception_class: string; occurrence_count: number; daily_counts: number[] };

/** All groups, oldest first, an order that no event changes. */
async function readGroups(owner: Owner, projectId: number): Promise<GroupRow[]> {
  const rows: GroupRow[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const after = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await owner.get(
      `/api/projects/${projectId}/error-groups?sort=first_seen&direction=asc${after}`,
    )) as { data: GroupRow[]; meta: { next_cursor: string | null } };
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  }
  return rows;
}

/** Throughput of bare HTTP and JSON on this machine. */
async function httpCeiling(events: BenchEvent[]): Promise<LoadResult> {
  const { port, stop } = await startBareHttp();
  const requests = requestsFor(events, [{ projectId: 1, token: "none" }]);
  try {
    return await load({
      port,
      connections: CONNECTIONS,
      seconds: SECONDS / 2,
      expectedStatus: 202,
      next: (n) => requests[n % requests.length] as Prepared,
    });
  } finally {
    stop();
  }
}

/** Measures peak memory and CPU time until it is stopped. */
export async function watchUsage(server: BenchServer) {
  const before = await server.usage();
  let peak = before;
  const total = (usage: Usage) => usage.server.memory + usage.postgres.memory;
  const sample = async () => {
    const now = await server.usage();
    if (total(now) > total(peak)) peak = now;
    return now;
  };
  const timer = setInterval(() => void sample(), 2_000);
  return {
    stop: async () => {
      clearInterval(timer);
      const after = await sample();
      const spent = (part: "server" | "postgres") => after[part].cpu - before[part].cpu;
      return {
        memory: { server: peak.server.memory, postgres: peak.postgres.memory },
        cpu: { server: spent("server"), postgres: spent("postgres") },
      };
    },
  };
}

export function report(
  name: string,
  { ok, seconds, latencies }: Pick<LoadResult, "ok" | "seconds" | "latencies">,
) {
  const ms = (q: number) => quantile(latencies, q).toFixed(1);
  console.log(
    `  ${name.padEnd(30)} ${format(ok / seconds)} events/s   p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms`,
  );
}

const format = (value: number) => Math.round(value).toLocaleString("en").padStart(9);
