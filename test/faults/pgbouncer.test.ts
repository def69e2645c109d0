import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { connect, openPool } from "../../src/server/db/connect.ts";
import { migrate } from "../../src/server/db/migrate.ts";
import { requireSameDatabase } from "../../src/server/db/require-same-database.ts";
import { Listener } from "../../src/server/live/listener.ts";
import { anEvent } from "../support/error-events.ts";
import { listenTo } from "../support/event-stream.ts";
import { waitUntil } from "../support/eventually.ts";
import { makePersonalToken, makeUser } from "../support/make.ts";
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { openReports } from "../support/reports.ts";
import { openAppOn, type TestApp } from "../support/test-app.ts";

const SETTINGS = `select current_setting('timezone') as timezone,
  current_setting('statement_timeout') as statement_timeout, current_setting('lock_timeout') as lock_timeout`;

async function inTransaction(pool: pg.Pool, begin: string) {
  const client = await pool.connect();
  await client.query(begin);
  await client.query("select 1");
  const result = await client.query(SETTINGS);
  await client.query("commit");
  client.release();
  return result;
}

const notInstalled = () =>
  test("NOT TESTED: PgBouncer is not installed (on Debian: apt-get install pgbouncer)", () => {});

if (!hasPgBouncer) void notInstalled();
else
  describe("with PgBouncer", () => {
    let clone: Awaited<ReturnType<typeof cloneDatabase>>;
    before(async () => {
      clone = await cloneDatabase();
    });
    after(() => clone.drop());

    test("the server works in session mode, and each connection keeps its own settings", async () => {
      const bouncer = await startPgBouncer(clone.url, "session");
      assert.deepEqual(await migrate(bouncer.url), []);
      const t = await openAppOn(bouncer.url);
      const me = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
      assert.equal((await me.patch("/api/profile", { first_name: "Renamed" })).body.first_name, "Renamed");
      assert.equal((await t.http.get("/api/ready")).status, 200);
      const settings = `select current_setting('timezone') as timezone,
        current_setting('statement_timeout') as statement_timeout, current_setting('enable_seqscan') as seqscan`;
      const [web, ingest] = await Promise.all(
        [t.database.pool, t.database.ingest].map(async (pool) => (await pool.query(settings)).rows[0]),
      );
      assert.deepEqual([web.timezone, web.statement_timeout, web.seqscan], ["UTC", "1min", "on"]);
      assert.deepEqual([ingest.timezone, ingest.seqscan], ["UTC", "off"]);
      let notices = 0;
      const listener = new Listener(
        t.database.direct,
        "a_channel",
        () => notices++,
        () => {},
      );
      await waitUntil(() => notices === 1);
      await t.database.pool.query("notify a_channel");
      await waitUntil(() => notices === 2);
      await listener.close();
      await t.close();
      await bouncer.close();
    });

    describe("in transaction mode, with a direct address", () => {
      let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
      let t: TestApp;
      before(async () => {
        bouncer = await startPgBouncer(clone.url, "transaction");
        t = await openAppOn(bouncer.url, {}, { directUrl: clone.url });
      });
      after(async () => {
        await t.close();
        await bouncer.close();
      });

      test("each transaction has the settings of its pool, and other clients of the pooler do not get them", async () => {
        const jobs = openPool({
          ...t.database,
          onError: () => {},
          name: "jobs",
          max: 3,
          settings: { statement_timeout: "60s" },
        });
        const read = (pool: pg.Pool) => [
          pool.query(SETTINGS),
          pool.query({ name: "a-name", text: `${SETTINGS} where $1`, values: [true] }),
          inTransaction(pool, "begin"),
          inTransaction(pool, "start transaction isolation level repeatable read, read only"),
        ];
        const other = new pg.Client({ connectionString: bouncer.url });
        await other.connect();
        for (let round = 0; round < 5; round++) {
          const rows = await Promise.all([
            ...read(t.database.pool),
            ...read(jobs),
            ...read(t.database.pool),
            other.query(SETTINGS),
          ]);
          const found = rows.map((result) => Object.values(result.rows[0]));
          const web = Array.from({ length: 4 }, () => ["UTC", "1min", "50s"]);
          const job = Array.from({ length: 4 }, () => ["UTC", "1min", "2s"]);
          assert.deepEqual(found.slice(0, -1), [...web, ...job, ...web]);
          assert.deepEqual(found.at(-1)?.slice(1), ["0", "0"]);
        }
        await other.end();
        await jobs.end();
      });

      test("errors of single statements and transactions are reported, and the connections work afterwards", async () => {
        const { pool } = t.database;
        await assert.rejects(pool.query("select 1 / 0"), { code: "22012" });
        await assert.rejects(pool.query("select 1 / $1::int", [0]), { code: "22012" });
        await assert.rejects(pool.query("set local statement_timeout = '10ms'; select pg_sleep(60)"), {
          code: "57014",
        });
        const { rows } = await pool.query("select $1::int as number", [7]);
        assert.deepEqual(rows, [{ number: 7 }]);
        const several: unknown = await pool.query("select 1; select 2");
        assert.equal((several as unknown[]).length, 2);
      });

      test("events, live updates, moves of reports and repeated requests work", async () => {
        const p = await openReports(t);
        const made = [await p.create("a"), await p.create("b"), await p.create("c")];
        const [a, b, c] = made.map(({ id }) => id);
        const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
        const token = await makePersonalToken(t.db, p.adminUser.id);
        const stream = await listenTo(base, { authorization: `Bearer ${token}` });
        const events = Array.from({ length: 40 }, (_, n) =>
          p.token.post(`/api/projects/${p.id}/error-events`, anEvent({ host: `web-${n % 4}` })),
        );
        const moves = [a, b, c, a, b, c].map((report_id, n) =>
          p.admin.send({
            method: "POST",
            url: `${p.reports}/reorder`,
            headers: {
              "content-type": "application/json",
              ...(n < 3 ? {} : { "idempotency-key": `move ${n}` }),
            },
            payload: JSON.stringify({ report_id }),
          }),
        );
        for (const { status } of await Promise.all(events)) assert.equal(status, 202);
        for (const { status, body } of await Promise.all(moves))
          assert.deepEqual([status, (body as unknown[]).length], [200, 3]);
        const missing = await p.admin.post(`${p.reports}/reorder`, { report_id: a, rank_before_id: 999_999 });
        assert.equal(missing.status, 404);
        const locks =
          "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
        assert.equal((await t.database.pool.query(locks)).rowCount, 0);
        await stream.waitFor(({ data }) => data.kind === "report" && data.id === b);
        await stream.waitFor(({ data }) => data.kind === "error_group");
        stream.close();
      });
    });

    test("addresses of different databases are refused", async () => {
      const other = await cloneDatabase();
      const bouncer = await startPgBouncer(other.url, "transaction");
      await assert.rejects(requireSameDatabase(bouncer.url, clone.url), /lead to different databases/);
      await requireSameDatabase(bouncer.url, other.url);
      await bouncer.close();
      await other.drop();
    });

    test("transaction mode is refused with an explanation, even while other connections are in use", async () => {
      const bouncer = await startPgBouncer(clone.url, "transaction");
      await assert.rejects(migrate(bouncer.url), /pooler in transaction mode.* Set DATABASE_DIRECT_URL/);
      const database = connect(bouncer.url, () => {});
      const inUse = await database.pool.connect();
      await inUse.query("begin");
      await assert.rejects(migrate(bouncer.url), /transaction mode/);
      await inUse.query("rollback");
      inUse.release();
      await database.close();
      await bouncer.close();
    });

    test("statement mode is refused", async () => {
      const bouncer = await startPgBouncer(clone.url, "statement");
      await assert.rejects(
        migrate(bouncer.url),
        /The database cannot be used: transaction blocks not allowed/,
      );
      await bouncer.close();
    });
  });
