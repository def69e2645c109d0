import type { Config } from "../config/config.ts";
import { attachDatabase, hasDatabase } from "../db/attach-database.ts";
import { connect } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import { openDatabase } from "../db/open-database.ts";
import { makeLogger } from "../config/make-logger.ts";
import { resetPassword } from "../commands/reset-password/reset-password.ts";
import { openStorage } from "../files/storage/open-storage.ts";
import { fillDemo, FULL_SIZE } from "./fill-demo.ts";
import { EMAIL } from "./people.ts";

/**
 * `demo [--anyway]`: fills a workspace with sample data. Can run while the server is running. Prints the password of
 * the new administrator to stdout; messages go to stderr.
 */
export async function runDemo(config: Config, anyway: boolean): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  // Unlike other commands that can run beside a server, this one may be run before the first start.
  const source = await (hasDatabase(config) ? attachDatabase(config, log) : openDatabase(config, log));
  const storage = await openStorage(config);
  try {
    await migrate(source.directUrl);
    const database = connect(source.directUrl, (error) => log.warn({ err: error }));
    try {
      const { name, isNew } = await fillDemo(database.db, storage, {
        size: FULL_SIZE,
        anyway,
        dataDir: config.dataDir,
        publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
        retentionDays: config.retentionDays,
        progress: say,
      });
      if (!isNew)
        return say(`Created the workspace ${name}. The installation's first administrator owns it.`);
      const { password } = await resetPassword(database.db, EMAIL);
      process.stdout.write(`${password}\n`);
      say(`Created the workspace ${name}. This is the password of ${EMAIL}.`);
    } finally {
      await database.close();
    }
  } finally {
    storage.close();
    await source.stop();
  }
}

function say(line: string) {
  process.stderr.write(`${line}\n`);
}
