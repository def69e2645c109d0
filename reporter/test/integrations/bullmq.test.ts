import assert from "node:assert/strict";
import { on } from "node:events";
import { test } from "node:test";
import { createPostgresBackend, type Job, Queue, Worker } from "bullmq";
import { bullmqErrors } from "../../src/integrations/bullmq.ts";
import { startPostgres } from "../support/postgres.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

for (const [which, lastAttemptOnly, attempts] of [
  ["each failed attempt is reported with its number", false, [1, 2]],
  ["with lastAttemptOnly, only the last failed attempt is reported", true, [2]],
] as const) {
  // On PostgreSQL, so that the test needs no Redis. Queue, worker, jobs and events are the same.
  test(`BullMQ: ${which}`, { timeout: 30_000 }, async () => {
    await using postgres = await startPostgres();
    await using server = await recordingServer();
    const { reporter } = testReporter(server, { userHashSecret: "s" });
    const connection = { connectionString: postgres.url, migrate: true };
    const fail = async (job: Job) => {
      throw new RangeError(`${job.name} failed`);
    };
    const queue = new Queue("mail", { connection }, createPostgresBackend);
    const worker = new Worker("mail", fail, { connection }, createPostgresBackend);
    // Connections that are still closing emit errors when PostgreSQL stops.
    queue.on("error", () => {});
    worker.on("error", () => {});
    bullmqErrors(worker, { reporter, lastAttemptOnly, userId: (job: Job) => job.data.user });
    const failures = on(worker, "failed");
    await queue.add("SendInvoice", { user: 7 }, { attempts: 2 });
    await failures.next();
    await failures.next();
    await reporter.flush();
    assert.deepEqual(
      server.events().map(({ exception_class, context }) => ({ exception_class, context })),
      attempts.map((attempt) => ({
        exception_class: "RangeError",
        context: { kind: "job", name: "SendInvoice", queue: "mail", attempt },
      })),
    );
    assert.match(server.events()[0]?.user_hash ?? "", /^[0-9a-f]{64}$/);
    await worker.close();
    await queue.close();
  });
}
