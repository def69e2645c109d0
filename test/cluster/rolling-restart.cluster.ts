import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { listenTo } from "../support/event-stream.ts";
import { makePersonalToken } from "../support/make.ts";
import { startLoad, type Load } from "./load.ts";
import { missing, startCluster, type Cluster } from "./start-cluster.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** What a migration may do while the version before is running: see CONTRIBUTING.md. */
const NEXT = `
create table rolled (id bigint generated always as identity primary key, name text not null);
alter table error_groups add column rolled bigint not null default 0;
alter table users add column rolled text;
alter table issues add column rolled_id bigint;
alter table issues add constraint issues_rolled foreign key (rolled_id) references rolled (id) not valid;
create function note_rolled() returns trigger language plpgsql as $$
  begin insert into rolled (name) values (new.exception_class); return null; end $$;
create trigger note_rolled after insert on error_groups for each row execute function note_rolled();
`;

const notInstalled = () => test(`NOT TESTED: ${missing} is not installed`, () => {});
if (missing !== "") void notInstalled();
else
  describe("a rolling restart", () => {
    let c: Cluster;
    let version: Awaited<ReturnType<typeof makeNextVersion>>;
    before(async () => {
      version = await makeNextVersion();
      c = await startCluster();
    });
    const read = { failures: [] as string[], isStopped: false };
    let load: Load | undefined;
    after(async () => {
      read.isStopped = true;
      await load?.stop();
      await c.close();
      await version.remove();
    });

    test("to a version with another migration fails no request, and live updates continue", async () => {
      const { db } = c.database;
      const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
      const authorization = `Bearer ${await makePersonalToken(db, id)}`;
      const readUntilStopped = async () => {
        while (!read.isStopped) {
          const url = `${c.url}/api/projects/${c.installed.projectId}/error-groups`;
          const status = await fetch(url, { headers: { authorization } }).then(
            async (answer) => (await answer.text(), answer.status),
            String,
          );
          if (status !== 200) read.failures.push(String(status));
        }
      };
      const sending = (load = startLoad((event) => c.installed.send(c.url, event), 6));
      const reading = readUntilStopped();
      const stream = await listenTo(c.url, { authorization });
      await sending.accept(100);
      for (const [n, node] of c.nodes.entries()) {
        node.kill("SIGTERM");
        assert.deepEqual(await node.program.ended, { code: 0, signal: null });
        await node.start(version.main);
        await c.proxy.waitForServers(3);
        await sending.accept(100);
        // The first new server has migrated, and two old ones work on the new schema.
        assert.deepEqual((await migrations()).slice(-1), [9999], String(n));
      }
      read.isStopped = true;
      await Promise.all([reading, sending.stop()]);
      assert.deepEqual([sending.failures, read.failures], [[], []]);
      sending.check(await c.installed.readGroups(c.url));

      await stream.ended;
      const again = await listenTo(c.url, { authorization }, stream.lastId());
      await again.waitFor(({ event, data }) => event === "reset" || data.kind === "error_group");
      again.close();
    });

    const migrations = async () =>
      (
        await c.database.db.selectFrom("schema_migrations").select("version").orderBy("version").execute()
      ).map((row) => row.version);
  });

/** This version with one more migration. */
async function makeNextVersion() {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-next-"));
  await mkdir(path.join(folder, "src"));
  for (const name of [...(await readdir(ROOT)), "src/shared", "src/web"])
    if (!["src", ".git", "data", ".env"].includes(name))
      await symlink(path.join(ROOT, name), path.join(folder, name));
  await cp(path.join(ROOT, "src/server"), path.join(folder, "src/server"), {
    recursive: true,
    filter: (file) => !file.endsWith(".test.ts"),
  });
  await writeFile(path.join(folder, "src/server/db/migrations/9999-rolled.sql"), NEXT);
  return {
    main: path.join(folder, "src/server/main.ts"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
