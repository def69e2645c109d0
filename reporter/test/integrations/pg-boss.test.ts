import assert from "node:assert/strict";
import { test } from "node:test";
import { type Job, PgBoss } from "pg-boss";
import { pgBossErrors } from "../../src/integrations/pg-boss.ts";
import { startPostgres } from "../support/postgres.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

interface Invoice {
  user: number;
}

test(
  "pg-boss: each failed attempt is reported with its number, and pg-boss still retries the job",
  { timeout: 30_000 },
  async () => {
    await using postgres = await startPostgres();
    await using server = await recordingServer();
    const { reporter } = testReporter(server, { userHashSecret: "s" });
    const boss = new PgBoss({ connectionString: postgres.url, supervise: false, schedule: false });
    const errors: Error[] = [];
    boss.on("error", (error) => errors.push(error));
    await boss.start();
    await boss.createQueue("mail");
    await boss.send("mail", { user: 7 }, { retryLimit: 1, retryDelay: 0 });
    await boss.work(
      "mail",
      { pollingIntervalSeconds: 0.5 },
      pgBossErrors(
        async ([job]: Job<Invoice>[]) => {
          throw new RangeError(`${job?.name} failed`);
        },
        { reporter, userId: (job: Job<Invoice>) => job.data.user },
      ),
    );
    // The test clock stands still, so only a flush sends events.
    while (reporter.counts.sent < 2) {
      await new Promise(setImmediate);
      await reporter.flush();
    }
    assert.deepEqual(
      server.events().map((event) => event.context),
      [1, 2].map((attempt) => ({ kind: "job", name: "mail", queue: "mail", attempt })),
    );
    assert.match(server.events()[0]?.user_hash ?? "", /^[0-9a-f]{64}$/);
    // Checked before the end: connections that are still closing emit errors when PostgreSQL stops.
    assert.deepEqual(errors, []);
    await boss.stop({ graceful: false });
  },
);
