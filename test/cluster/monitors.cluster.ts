import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { waitLong } from "./load.ts";
import { missing, startCluster, type Cluster } from "./start-cluster.ts";

const ENVIRONMENTS = 40;

const notInstalled = () => test(`NOT TESTED: ${missing} is not installed`, () => {});
if (missing !== "") void notInstalled();
else
  describe("three servers that watch the same monitors", () => {
    let c: Cluster;
    before(async () => {
      c = await startCluster();
    });
    after(() => c.close());

    test("no expected time is missed or repeated when two of them are killed, and each counts once in its group", async () => {
      const { pool } = c.database;
      await pool.query(
        `with monitor as (
          insert into monitors (project_id, slug, name, schedule, margin_minutes)
          values ($1, 'every-minute', 'Every minute', '{"type": "crontab", "value": "* * * * *"}', 0) returning id
        )
        insert into monitor_environments (monitor_id, name, next_due_at, missed_at)
        select id, 'node-' || n, due, due from monitor, generate_series(1, $2) n, date_trunc('minute', now()) due`,
        [c.installed.projectId, ENVIRONMENTS],
      );
      /** How many expected times of the environment with the fewest are recorded. */
      const recorded = async (): Promise<number> => {
        const { rows } = await pool.query<{ fewest: number }>(
          `select coalesce(min(n), 0)::int as fewest from (
            select count(c.id) as n from monitor_environments e left join monitor_check_ins c on c.environment_id = e.id group by e.id
          ) counted`,
        );
        return rows[0]?.fewest ?? 0;
      };
      await waitLong(async () => (await recorded()) >= 1, "nobody records what is missed");
      for (const node of c.nodes.slice(0, 2)) {
        node.kill("SIGKILL");
        await node.program.ended;
      }
      // The lease of a killed server ends after a minute.
      const before = await recorded();
      await waitLong(async () => (await recorded()) > before, "no other server continues");
      for (const node of c.nodes.slice(0, 2)) await node.start();
      const pending = "select from monitor_check_ins where effect is not null";
      await pool.query("update monitor_environments set next_due_at = null, missed_at = null");
      await waitLong(async () => (await pool.query(pending)).rowCount === 0, "events are not stored");
      const { rows } = await pool.query<{
        name: string;
        status: string;
        n: number;
        span: number;
        check_ins: number;
        counted: number;
      }>(
        `select e.name, min(c.status) || ' ' || max(c.status) as status, count(distinct c.due_at)::int as n,
          (extract(epoch from max(c.due_at) - min(c.due_at)) / 60)::int + 1 as span, count(*)::int as check_ins,
          (select occurrence_count::int from error_groups g where g.id = e.error_group_id) as counted
        from monitor_environments e join monitor_check_ins c on c.environment_id = e.id group by e.id`,
      );
      assert.equal(rows.length, ENVIRONMENTS);
      for (const { name, status, n, span, check_ins, counted } of rows)
        assert.deepEqual(
          { name, status, times: n, check_ins, counted },
          { name, status: "missed missed", times: span, check_ins: span, counted: span },
        );
    });
  });
