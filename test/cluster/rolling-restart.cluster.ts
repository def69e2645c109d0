import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readMigrations } from "../../src/server/db/migrate.ts";
import { listenTo } from "../support/event-stream.ts";
import { waitUntil } from "../support/eventually.ts";
import { makePersonalToken } from "../support/make.ts";
import { startLoad, type Load } from "./load.ts";
import { missing, startCluster, type Cluster } from "./start-cluster.ts";
import { makeNextVersion, makePreviousVersion, type Version } from "./versions.ts";

const notTested = (why: string) => test(`NOT TESTED: ${why}`, () => {});
if (missing !== "") void notTested(`${missing} is not installed`);
else {
  const previous = await makePreviousVersion();
  if (previous === undefined)
    void notTested("the repository has no history to take the previous version from");
  else
    describe("a rolling restart from the version before the newest migrations", () => {
      after(() => previous.remove());
      rollingRestart(previous, undefined);
    });
  const next = await makeNextVersion();
  describe("a rolling restart to a version with another migration", () => {
    after(() => next.remove());
    rollingRestart(undefined, next);
  });
}

/** `undefined` is this version. */
function rollingRestart(from: Version | undefined, to: Version | undefined) {
  let c: Cluster;
  let load: Load | undefined;
  const other = { rounds: 0, failures: [] as string[], isStopped: false };
  before(async () => {
    c = await startCluster({}, undefined, from?.main);
  });
  after(async () => {
    other.isStopped = true;
    await load?.stop();
    await c.close();
  });

  test("fails no request, and live updates continue", async () => {
    const { db } = c.database;
    const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    const authorization = `Bearer ${await makePersonalToken(db, id)}`;
    const sending = (load = startLoad((event) => c.installed.send(c.url, event), 6));
    const working = workUntilStopped(authorization);
    const stream = await listenTo(c.url, { authorization });
    await sending.accept(100);
    const schema = to?.schema ?? (await readMigrations()).at(-1)?.version;
    for (const [n, node] of c.nodes.entries()) {
      const { rounds } = other;
      node.kill("SIGTERM");
      assert.deepEqual(await node.program.ended, { code: 0, signal: null });
      await node.start(to?.main);
      await c.proxy.waitForServers(3);
      await sending.accept(100);
      await waitUntil(() => other.rounds > rounds, "no round of requests has ended");
      // The first new server has migrated, and two old ones work on the new schema.
      assert.equal((await migrations()).at(-1), schema, String(n));
    }
    other.isStopped = true;
    await Promise.all([working, sending.stop()]);
    assert.deepEqual([sending.failures, other.failures], [[], []]);
    sending.check(await c.installed.readGroups(c.url));

    await stream.ended;
    const again = await listenTo(c.url, { authorization }, stream.lastId());
    await again.waitFor(({ event, data }) => event === "reset" || data.kind === "error_group");
    again.close();
  });

  /** What people do, one request after the other. */
  async function workUntilStopped(authorization: string) {
    const project = `${c.url}/api/projects/${c.installed.projectId}`;
    const request = async (method: string, url: string, body?: object) => {
      const headers = { authorization, "content-type": "application/json" };
      try {
        const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        const text = await answer.text();
        if (answer.ok) return JSON.parse(text) as { id: number };
        other.failures.push(`${method} ${url}: ${answer.status} ${text}`);
      } catch (error) {
        other.failures.push(`${method} ${url}: ${String((error as Error).cause ?? error)}`);
      }
      return undefined;
    };
    for (; !other.isStopped; other.rounds++) {
      await request("GET", `${project}/error-groups`);
      const report = { title: "A report", description: "What happened" };
      await request("POST", `${project}/reports`, report);
      const made = await request("POST", `${project}/issues`, { title: "An issue" });
      if (made === undefined) continue;
      const issue = `${project}/issues/${made.id}`;
      await request("POST", `${issue}/comments`, { content: "A comment" });
      await request("PATCH", issue, { title: "Another title" });
      await request("GET", issue);
    }
  }

  const migrations = async () =>
    (await c.database.db.selectFrom("schema_migrations").select("version").orderBy("version").execute()).map(
      (row) => row.version,
    );
}
