import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { makePersonalToken } from "../support/make.ts";
import { poll } from "../support/program.ts";
import { startLoad, waitLong, type Load } from "./load.ts";
import { missing, startCluster, type Cluster } from "./start-cluster.ts";

const CLIENTS = 8;

const notInstalled = () => test(`NOT TESTED: ${missing} is not installed`, () => {});
if (missing !== "") void notInstalled();
else
  describe("three servers, one of which fails", () => {
    let c: Cluster;
    before(async () => {
      c = await startCluster();
    });
    after(async () => {
      await load?.stop();
      await c.close();
    });

    /** One for all tests, because the groups count the events of all of them. */
    let load: Load | undefined;
    const begin = () => (load ??= startLoad((event) => c.installed.send(c.url, event), CLIENTS));
    afterEach(() => c.nodes[0].kill("SIGCONT"));

    test("a server that is killed under load loses no acknowledged event, and the others continue", async () => {
      const [node] = c.nodes;
      await begin().accept(300);
      node.kill("SIGKILL");
      await node.program.ended;
      await begin().accept(300);
      await c.proxy.waitForServers(2);
      const failuresBefore = begin().failures.length;
      assert.ok(failuresBefore <= 2 * CLIENTS, begin().failures.join("\n"));
      await begin().accept(300);
      // HAProxy has noticed that the server is gone.
      assert.equal(begin().failures.length, failuresBefore);
      await node.start();
      await c.proxy.waitForServers(3);
      await begin().accept(300);
    });

    test("while a server is paused under load, the others continue, and the counts are exact afterwards", async () => {
      const [node] = c.nodes;
      node.kill("SIGSTOP");
      await begin().accept(300);
      await c.proxy.waitForServers(2);
      await begin().accept(300);
      node.kill("SIGCONT");
      await c.proxy.waitForServers(3);
      await begin().accept(300);
      await begin().stop();
      begin().check(await c.installed.readGroups(c.url));
    });

    test("a row that a paused server has locked can be changed by another after at most 15 seconds", async () => {
      const [paused, other] = c.nodes;
      const { db, pool } = c.database;
      const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
      const token = await makePersonalToken(db, id);
      const rename = (base: string, first_name: string) =>
        fetch(`${base}/api/profile`, {
          method: "PATCH",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ first_name }),
        });
      const holder = await pool.connect();
      await holder.query("begin");
      const { rows } = await holder.query<{ pid: number }>(
        "select pg_backend_pid() as pid from users where id = $1 for update",
        [id],
      );
      const late = rename(paused.url, "Late");
      // Other connections may also wait for locks, or be in a transaction.
      let waiting: { pid: number } | undefined;
      const isWaiting = async () => {
        const blocked = "select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
        [waiting] = (await pool.query<{ pid: number }>(blocked, [rows[0]?.pid])).rows;
        return waiting !== undefined;
      };
      await waitLong(isWaiting, "the row is not waited for");
      paused.kill("SIGSTOP");
      await holder.query("rollback");
      holder.release();
      // The paused server has the lock now, and cannot commit.
      const isHeld = async () => {
        const held = "select from pg_stat_activity where state = 'idle in transaction' and pid = $1";
        return (await pool.query(held, [waiting?.pid])).rowCount === 1;
      };
      await waitLong(isHeld, "the row is not locked");
      const statuses: number[] = [];
      do statuses.push((await rename(other.url, "Other")).status);
      while (statuses.at(-1) === 503 && (await poll(), true));
      assert.equal(statuses.at(-1), 200);
      assert.ok(statuses.length > 1, "the row was not locked");
      paused.kill("SIGCONT");
      assert.equal((await late).status, 503);
      const { first_name } = await db.selectFrom("users").select("first_name").executeTakeFirstOrThrow();
      assert.equal(first_name, "Other");
    });
  });
