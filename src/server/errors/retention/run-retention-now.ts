import type { Config } from "../../config/config.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { openPool } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { LONG_WORK_TIMES, SilenceWatch } from "../../db/silence-watch.ts";
import { runRetention } from "./retention.ts";

/** For the command, which also works beside a running server. */
export async function runRetentionNow(config: Config, anyway: boolean) {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.directUrl);
    const watch = new SilenceWatch(source.directUrl, LONG_WORK_TIMES);
    const pool = openPool({
      url: source.directUrl,
      watch,
      onError: (error) => log.warn({ err: error }),
      name: "signalbox retention",
      max: 1,
      settings: { statement_timeout: "60s" },
    });
    const result = await runRetention(pool, config.retentionDays, { anyway });
    await pool.end();
    await watch.close();
    return result;
  } finally {
    await source.stop();
  }
}
