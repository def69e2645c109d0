import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { runRetention } from "./retention.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const run = () => runRetention(t.database.pool, 90, { anyway: true });

/** A project with 100 young releases, which stay in any case. */
async function busyProject(): Promise<TestProject> {
  const project = await openProject(t, workspace);
  await sql`
    insert into releases (project_id, version_hash, version, first_seen_at)
    select ${project.id}, sha256(convert_to(version, 'UTF8')), version, now() - interval '1 day'
    from (select 'young-' || n as version from generate_series(1, 100) n) v`.execute(t.db);
  return project;
}

const deploy = async (project: TestProject, version: string, deployed_at: string) =>
  assert.equal(
    (await project.admin.post(`/api/projects/${project.id}/releases`, { version, deployed_at })).status < 300,
    true,
  );

async function age(project: TestProject, version: string) {
  await sql`update releases set first_seen_at = now() - interval '91 days', created_at = now() - interval '91 days'
    where project_id = ${project.id} and version = ${version}`.execute(t.db);
}

const statusOf = async (project: TestProject, version: string) =>
  (await project.admin.get(`/api/projects/${project.id}/releases/${version}`)).status;

test("a release older than the retention window is deleted unless something mentions it", async () => {
  const project = await busyProject();
  const [LONG_AGO, RECENTLY] = ["2020-01-01T00:00:00Z", new Date(Date.now() - 86_400_000).toISOString()];
  for (const version of ["forgotten", "deployed-again", "named"]) await deploy(project, version, LONG_AGO);
  await deploy(project, "deployed-again", RECENTLY);
  const { id } = await project.first({ release: "has-the-error" });
  await project.admin.post(`${project.groups}/${id}/resolve`, { in: { release: "named" } });
  await project.send({ release: "brings-it-back" });
  const old = ["forgotten", "deployed-again", "named", "has-the-error", "brings-it-back"];
  for (const version of old) await age(project, version);
  await run();
  const left = await Promise.all(old.map(async (version) => [version, await statusOf(project, version)]));
  assert.deepEqual(left, [
    ["forgotten", 404],
    ["deployed-again", 200],
    ["named", 200],
    ["has-the-error", 200],
    ["brings-it-back", 200],
  ]);
});

test("the newest releases of a project stay, and so does its latest version", async () => {
  const quiet = await openProject(t, workspace);
  await deploy(quiet, "only", "2020-01-01T00:00:00Z");
  const busy = await busyProject();
  await sql`update releases set version = '1.0.' || id,
    version_hash = sha256(convert_to('1.0.' || id, 'UTF8')) where project_id = ${busy.id}`.execute(t.db);
  for (const version of ["9.0.0", "0.9.0"]) await deploy(busy, version, "2020-01-01T00:00:00Z");
  await run();
  assert.deepEqual(
    [await statusOf(quiet, "only"), await statusOf(busy, "9.0.0"), await statusOf(busy, "0.9.0")],
    [200, 200, 404],
  );
});

test("an event of a deleted release is stored and makes it a new one", async () => {
  const project = await busyProject();
  await deploy(project, "back", "2020-01-01T00:00:00Z");
  await run();
  assert.equal(await statusOf(project, "back"), 404);
  await project.send({ release: "back" });
  const { body } = await project.admin.get(`/api/projects/${project.id}/releases/back`);
  assert.deepEqual([body.events, body.deploys], [1, []]);
  assert.ok(Date.now() - Date.parse(body.first_seen_at) < 86_400_000);
});

test("a release whose events are being counted is not deleted", async () => {
  const project = await busyProject();
  await project.send({ release: "busy" });
  await sql`delete from error_groups where project_id = ${project.id}`.execute(t.db);
  await age(project, "busy");
  await t.db.transaction().execute(async (tx) => {
    await sql`update release_counts set events = events + 1
      where release_id = (select id from releases where project_id = ${project.id} and version = 'busy')`.execute(
      tx,
    );
    await run();
  });
  assert.equal(await statusOf(project, "busy"), 200);
  await run();
  assert.equal(await statusOf(project, "busy"), 404);
});
