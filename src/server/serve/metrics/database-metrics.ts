import type { FastifyBaseLogger } from "fastify";
import { Gauge } from "prom-client";
import type pg from "pg";
import type { Database } from "../../db/connect.ts";
import type { Metrics } from "../../http/metrics.ts";

/** Adds connection pools and the lengths of the queues of emails and webhooks, which are read whenever the metrics are. */
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
    help: "Queued emails, and deliveries of webhooks that wait for an attempt. Absent while the database does not answer.",
    labelNames: ["queue"],
    registers,
    async collect() {
      this.reset();
      try {
        const { rows } = await database.pool.query(
          `select (select count(*) from mails where state = 'queued') as mail,
            (select count(*) from webhook_deliveries where next_attempt_at is not null) as webhooks`,
        );
        for (const queue of ["mail", "webhooks"]) this.set({ queue }, rows[0][queue]);
      } catch (error) {
        log.warn({ err: error }, "the queues could not be measured");
      }
    },
  });
}
