import type { FastifyBaseLogger } from "fastify";
import { Gauge } from "prom-client";
import type pg from "pg";
import type { Database } from "../../db/connect.ts";
import type { Metrics } from "../../http/metrics.ts";

/** Adds connection pools and the length of the mail queue, which is read whenever the metrics are. */
export function measureDatabase({ registry }: Metrics, database: Database, log: FastifyBaseLogger): void {
  const registers = [registry];
  const pools: Record<string, pg.Pool> = { web: database.pool, ingest: database.ingest };
  void new Gauge({
    name: "signalbox_pool_connections",
    help: "Database connections by pool: all open ones, those of them that are idle, and requests waiting for one.",
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
    help: "Queued emails. Absent while the database does not answer.",
    labelNames: ["queue"],
    registers,
    async collect() {
      this.reset();
      try {
        const { rows } = await database.pool.query(
          "select count(*) as length from mails where state = 'queued'",
        );
        this.set({ queue: "mail" }, rows[0].length);
      } catch (error) {
        log.warn({ err: error }, "the mail queue could not be measured");
      }
    },
  });
}
