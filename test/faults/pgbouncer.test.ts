import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect } from "../../src/server/db/connect.ts";
import { migrate } from "../../src/server/db/migrate.ts";
import { Listener } from "../../src/server/live/listener.ts";
import { waitUntil } from "../support/eventually.ts";
import { makePersonalToken, makeUser } from "../support/make.ts";
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { openAppOn } from "../support/test-app.ts";

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
      assert.deepEqual([web.timezone, web.statement_timeout, web.seqscan], ["UTC", "10s", "on"]);
      assert.deepEqual([ingest.timezone, ingest.seqscan], ["UTC", "off"]);
      let notices = 0;
      const listener = new Listener(
        t.database,
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

    test("transaction mode is refused in words, also while other connections are in use", async () => {
      const bouncer = await startPgBouncer(clone.url, "transaction");
      await assert.rejects(
        migrate(bouncer.url),
        /^Error: DATABASE_URL leads to a connection pooler in transaction mode/,
      );
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
