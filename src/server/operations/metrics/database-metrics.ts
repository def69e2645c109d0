import type { FastifyBaseLogger } from "fastify";
import { Gauge } from "prom-client";
import type pg from "pg";
import type { Database } from "../../db/connect.ts";
import type { Metrics } from "../../http/metrics.ts";

/** Connection pools and queues. The queues are asked by one cheap statement each, when the metrics are read. */
export function measureDatabase({ registry }: Metrics, database: Database, log: FastifyBaseLogger): void {
  const registers = [registry];
  const pools: Record<string, pg.Pool> = { web: database.pool, ingest: database.ingest };
  void new Gauge({
    name: "signalbox_pool_connections",
    help: "Database connections by pool: open, idle among them, and requests that wait for one.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: "total" }, totalCount);
        this.set({ pool, state: "idle" }, idleCount);
        this.set({ pool, state: "waiting" }, waitingCount);
      }
    },
  });
  void new Gauge({
    name: "signalbox_queue_length",
    help: "What waits: mails, and background jobs by their queue. Absent while the database does not answer.",
    labelNames: ["queue"],
    registers,
    async collect() {
      this.reset();
      try {
        for (const { queue, length } of await queueLengths(database.pool)) this.set({ queue }, length);
      } catch (error) {
        log.warn({ err: error }, "the queues could not be measured");
      }
    },
  });
}

const MAILS = "select 'mail' as queue, count(*) as length from mails where state = 'queued'";

/** Every queue that has been made, with none waiting, too. The tables are the job queue's own. */
const JOBS = `
  select 'job:' || q.name, count(j.name) from pgboss.queue q
  left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry', 'active')
  where q.name !~ '^__'
  group by q.name`;

/** A server without background jobs, on a database that never had any, has no tables of theirs. */
async function queueLengths(pool: pg.Pool): Promise<{ queue: string; length: number }[]> {
  const { rows: found } = await pool.query("select to_regclass('pgboss.job') is not null as yes");
  const { rows } = await pool.query(found[0].yes ? `${MAILS} union all ${JOBS}` : MAILS);
  return rows;
}
