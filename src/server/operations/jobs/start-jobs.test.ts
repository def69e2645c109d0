import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino, type Logger } from "pino";
import { sql } from "kysely";
import { openTestApp, type TestApp } from "../../../../test/support/test-app.ts";
import { RateLimiter } from "../../http/rate-limit.ts";
import { startJobs } from "./jobs.ts";

let t: TestApp;
before(async () => {
  t = await openTestApp();
});
after(() => t.close());

/** A log that answers when it has a line with this text. */
function listeningLog() {
  const lines: string[] = [];
  const waiting: { text: string; found: (line: string) => void }[] = [];
  const log: Logger = pino(
    { level: "info" },
    {
      write: (line) => {
        lines.push(line);
        for (const { text, found } of waiting) if (line.includes(text)) found(line);
      },
    },
  );
  const line = (text: string) =>
    new Promise<string>((found) => {
      const known = lines.find((line) => line.includes(text));
      if (known === undefined) waiting.push({ text, found });
      else found(known);
    });
  return { log, line, lines };
}

const start = (log: Logger) =>
  startJobs({
    database: t.database,
    limiter: new RateLimiter(t.database.pool),
    storage: t.storage,
    retentionDays: 90,
    log,
  });

const runs = async () =>
  (await t.db.selectFrom("retention_runs").select("outcome").execute()).map((run) => run.outcome);

test("two processes that start at once share the queue without an error, and retention runs right away", async () => {
  const [a, b] = [listeningLog(), listeningLog()];
  const jobs = await Promise.all([start(a.log), start(b.log)]);
  await Promise.race([a.line("Retention deleted"), b.line("Retention deleted")]);
  await Promise.all(jobs.map((job) => job.stop()));
  assert.deepEqual(new Set(await runs()), new Set(["done"]));
  assert.deepEqual(
    [...a.lines, ...b.lines].filter((line) => JSON.parse(line).level > 30),
    [],
  );
});

test("a retention run that fails is logged", async () => {
  await sql`alter table retention_runs rename to gone`.execute(t.db);
  const { log, line } = listeningLog();
  const jobs = await start(log);
  const { level, job, err } = JSON.parse(await line("a background job failed"));
  await jobs.stop();
  await sql`alter table gone rename to retention_runs`.execute(t.db);
  assert.deepEqual([level, job], [50, "retention"]);
  assert.match(err.message, /retention_runs/);
});

test("a run the brake refuses is a warning that says why", async () => {
  await sql`insert into retention_runs (started_at, outcome) values (now() + interval '1 day', 'done')`.execute(
    t.db,
  );
  const { log, line } = listeningLog();
  const jobs = await start(log);
  const { level, msg } = JSON.parse(await line("Retention refused"));
  await jobs.stop();
  assert.equal(level, 40);
  assert.match(msg, /clock stands before the last run/);
});
