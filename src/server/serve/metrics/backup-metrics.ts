import type { FastifyBaseLogger } from "fastify";
import { Gauge } from "prom-client";
import type pg from "pg";
import type { Metrics } from "../../http/metrics.ts";
import { readLastBackup } from "../../commands/backup/history.ts";

/** Adds the age of the last backup, read from the database whenever the metrics are. */
export function measureBackups({ registry }: Metrics, pool: pg.Pool, log: FastifyBaseLogger): void {
  void new Gauge({
    name: "signalbox_backup_age_seconds",
    help: "Age of the last complete backup. Absent if there is none, and while the database does not answer.",
    registers: [registry],
    async collect() {
      this.remove();
      try {
        const last = await readLastBackup(pool);
        if (last) this.set(last.age_seconds);
      } catch (error) {
        log.warn({ err: error }, "the age of the last backup could not be measured");
      }
    },
  });
}
