import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Database } from "../../src/server/db/connect.ts";
import { queueMails } from "../../src/server/mail/queue-mail.ts";
import { anEvent } from "../support/error-events.ts";
import { listenTo } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/images.ts";
import { makePersonalToken, makeProjectToken } from "../support/make.ts";
import { startLoad, waitLong } from "./load.ts";
import { missing, startCluster, type Cluster } from "./start-cluster.ts";

const LIMIT = 300;
const DAILY = ["old-audit-events", "old-mails", "old-sessions", "retention"];

const notInstalled = () => test(`NOT TESTED: ${missing} is not installed`, () => {});
if (missing !== "") void notInstalled();
else
  describe("three servers on one database", () => {
    let c: Cluster;
    let userId: number;
    let token: string;
    before(async () => {
      c = await startCluster({ LIMIT_INGEST: String(LIMIT) }, noteJobs);
      await makeDailyJobsDue();
      userId = (await c.database.db.selectFrom("users").select("id").executeTakeFirstOrThrow()).id;
      token = await makePersonalToken(c.database.db, userId);
    });
    after(() => c.close());

    const as = (bearer: string) => ({ authorization: `Bearer ${bearer}` });
    const newToken = () => makeProjectToken(c.database.db, c.installed.projectId, userId);
    const send = (base: string, bearer: string, event: Record<string, unknown>) =>
      fetch(base + c.installed.events, {
        method: "POST",
        headers: { ...as(bearer), "content-type": "application/json" },
        body: JSON.stringify(event),
      });

    test("events of the same groups that all servers store at the same time are all counted once", async () => {
      const tokens = await Promise.all(Array.from({ length: 6 }, newToken));
      const baseOf = (client: number) => c.nodes[client % c.nodes.length]?.url ?? c.url;
      const load = startLoad((event, client) => send(baseOf(client), String(tokens[client]), event), 6);
      try {
        await load.accept(600);
      } finally {
        await load.stop();
      }
      assert.deepEqual(load.failures, []);
      load.check(await c.installed.readGroups(c.url));
    });

    test("the rate limit of a credential holds over all servers", async () => {
      const limited = await newToken();
      const statuses = new Map<number, number>();
      const sendMany = async (base: string) => {
        for (let n = 0; n < 15; n++) {
          const { status } = await send(base, limited, anEvent({ exception_class: "Limited" }));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const start = performance.now();
      await Promise.all(c.nodes.flatMap(({ url }) => Array.from({ length: 10 }, () => sendMany(url))));
      const accepted = statuses.get(202) ?? 0;
      assert.deepEqual([...statuses.keys()].sort(), [202, 429]);
      const minutes = Math.ceil((performance.now() - start) / 60_000);
      assert.ok(accepted <= LIMIT * minutes && accepted > LIMIT / 2, `${accepted} accepted`);
      const groups = await c.installed.readGroups(c.url);
      const group = groups.find((each) => each.exception_class === "Limited");
      assert.equal(group?.occurrence_count, accepted);
    });

    test("live updates on one server report within a second what another has changed", async () => {
      const [one, other] = c.nodes;
      const stream = await listenTo(one.url, as(token));
      const report = async () => {
        const start = performance.now();
        const made = await fetch(`${other.url}/api/projects/${c.installed.projectId}/reports`, {
          method: "POST",
          headers: { ...as(token), "content-type": "application/json" },
          body: JSON.stringify({ title: "A report", description: "What happened" }),
        });
        const { id } = (await made.json()) as { id: number };
        await stream.waitFor(({ data }) => data.kind === "report" && data.id === id);
        return performance.now() - start;
      };
      // Without notices, each but the first would take three seconds, after which servers read the changes anyway. A slow
      // machine has twenty attempts.
      const times = [await report()];
      do times.push(await report());
      while ((times.at(-1) ?? 0) > 1_000 && times.length <= 20);
      stream.close();
      assert.ok((times.at(-1) ?? Infinity) <= 1_000, times.join(", "));
    });

    test("a file that one server stored is sent by the others", async () => {
      const form = new FormData();
      form.set("title", "With a file");
      form.set("description", "What happened");
      form.set("files[0]", new Blob([await png()], { type: "image/png" }), "seen.png");
      const [one, ...others] = c.nodes;
      const reports = `/api/projects/${c.installed.projectId}/reports`;
      const made = await fetch(one.url + reports, { method: "POST", headers: as(token), body: form });
      assert.equal(made.status, 201, await made.clone().text());
      const { id } = (await made.json()) as { id: number };
      for (const { url } of others) {
        const list = await fetch(`${url}${reports}/${id}/attachments`, { headers: as(token) });
        const [file] = (await list.json()) as { id: number }[];
        const got = await fetch(`${url}${reports}/${id}/attachments/${file?.id}/download`, {
          headers: as(token),
        });
        assert.equal(got.status, 200);
        assert.ok((await got.arrayBuffer()).byteLength > 0);
      }
    });

    test("each email is sent once", async () => {
      const recipients = Array.from(
        { length: 60 },
        (_, n) => `person-${String(n).padStart(2, "0")}@example.com`,
      );
      await c.database.db.transaction().execute((tx) =>
        queueMails(
          tx,
          recipients.map((to) => ({
            workspace_id: null,
            user_id: null,
            to,
            subject: "Hello",
            lines: ["Hello"],
            button: { label: "Open", path: "/" },
            preference: null,
          })),
        ),
      );
      const queued = () =>
        c.database.db.selectFrom("mails").select("id").where("state", "=", "queued").execute();
      await eventually(async () => (await queued()).length, 0);
      const received = c.mails.mails.flatMap((mail) => mail.recipients);
      assert.deepEqual(received.filter((to) => to.startsWith("person-")).sort(), recipients);
    });

    test("a daily job that is due is run by one server", async () => {
      const names = Array.from(DAILY, (name) => `'${name}'`).join(", ");
      const left = `select from background_jobs where name in (${names}) and due_at < clock_timestamp()`;
      // Servers look after 30 seconds at the latest.
      await waitLong(async () => (await c.database.pool.query(left)).rowCount === 0, "daily jobs do not run");
      const { rows } = await c.database.pool.query("select name from job_taken order by name");
      assert.deepEqual(
        rows.map(({ name }) => name),
        DAILY,
      );
    });

    /** Notes which server's start registered a job, and which jobs servers took. */
    async function noteJobs({ pool }: Database) {
      await pool.query(`
        create table job_registered (name text);
        create table job_taken (name text);
        create function note_job() returns trigger language plpgsql as $$ begin
          if tg_op = 'INSERT' or (new.lease_id, new.leased_until) is not distinct from (old.lease_id, old.leased_until) then
            insert into job_registered values (new.name);
          elsif new.lease_id is not null and old.lease_id is distinct from new.lease_id then
            insert into job_taken values (new.name);
          end if;
          return null;
        end $$;
        create trigger note_job after insert or update on background_jobs for each row
          when (new.name in ('old-audit-events', 'old-mails', 'old-sessions', 'retention')) execute function note_job()`);
    }

    async function makeDailyJobsDue() {
      const { pool } = c.database;
      const registered = async () => (await pool.query("select from job_registered")).rowCount;
      const expected = DAILY.length * c.nodes.length;
      await waitLong(async () => (await registered()) === expected, "the servers do not register their jobs");
      // Retention also runs at each start, so it may be running now.
      const running =
        "select from background_jobs where lease_id is not null or name = 'retention' and due_at < now()";
      await waitLong(async () => (await pool.query(running)).rowCount === 0, "jobs do not end");
      await pool.query("truncate job_taken");
      await pool.query("update background_jobs set due_at = now() where name = any($1)", [DAILY]);
    }
  });
