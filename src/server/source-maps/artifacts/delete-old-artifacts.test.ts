import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { runRetention } from "../../errors/retention/retention.ts";
import { deleteOldArtifacts } from "./delete-old-artifacts.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const DEBUG_ID = "79c3f7e5-23f0-59bd-9871-136f988f9eba";

async function add(project: TestProject, version: string, daysAgo: number): Promise<void> {
  const url = `/api/projects/${project.id}/releases/${version}/artifacts`;
  const part = { name: "files[0]", filename: `~/${version}.js.map`, content: `{"debugId":"${DEBUG_ID}"}` };
  assert.equal((await upload(project.sender, url, [part])).status, 201);
  await sql`
    update artifacts set created_at = now() - make_interval(days => ${daysAgo})
    where project_id = ${project.id} and name = ${part.filename}`.execute(t.db);
}

const namesOf = async ({ id }: TestProject) => {
  const rows = await t.db
    .selectFrom("artifacts")
    .select("name")
    .where("project_id", "=", id)
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
};

test("artifacts of a release are deleted 90 days after its last event", async () => {
  const project = await openProject(t, workspace);
  for (const version of ["silent", "seen", "seen-long-ago"]) await add(project, version, 91);
  await add(project, "young", 89);
  await project.send({ release: "seen" });
  await project.send({ release: "seen-long-ago" });
  await sql`
    update error_group_releases set last_seen_at = now() - interval '91 days' where release = 'seen-long-ago'`.execute(
    t.db,
  );
  await deleteOldArtifacts(t.db);
  assert.deepEqual(await namesOf(project), ["~/seen.js.map", "~/young.js.map"]);
});

test("artifacts without a release stay while an error's newest event has their debug id", async () => {
  const project = await openProject(t, workspace);
  await add(project, "1", 91);
  await sql`update artifacts set release_id = null where project_id = ${project.id}`.execute(t.db);
  const group = await project.first({ tags: { a: "b" } });
  const additions = JSON.stringify({
    frames: [],
    debug_images: [{ code_file: "https://a.test/1.js", debug_id: DEBUG_ID }],
  });
  await sql`update error_group_details set additions = ${additions} where group_id = ${group.id}`.execute(
    t.db,
  );
  await deleteOldArtifacts(t.db);
  assert.deepEqual(await namesOf(project), ["~/1.js.map"]);
  await sql`update error_group_details set additions = '{}' where group_id = ${group.id}`.execute(t.db);
  await deleteOldArtifacts(t.db);
  assert.deepEqual(await namesOf(project), []);
});

test("a file that no artifact uses is deleted after a day", async () => {
  const project = await openProject(t, workspace);
  const key = "5f1e2a7c-8d0b-4c8e-9a53-0c6a4d1b7e22";
  await sql`
    insert into artifact_files (project_id, sha256, size, storage_key, created_at)
    values (${project.id}, '\\x00', 5, ${key}, now() - interval '2 days')`.execute(t.db);
  await deleteOldArtifacts(t.db);
  const { rows } = await sql`select from file_deletions where storage_key = ${key}`.execute(t.db);
  assert.equal(rows.length, 1);
});

test("an old release stays as long as it has artifacts", async () => {
  const project = await openProject(t, workspace);
  await add(project, "old", 0);
  await sql`
    insert into releases (project_id, version_hash, version, first_seen_at)
    select ${project.id}, sha256(convert_to(version, 'UTF8')), version, now() - interval '1 day'
    from (select 'young-' || n as version from generate_series(1, 100) n) v`.execute(t.db);
  const age = () =>
    sql`
    update releases set first_seen_at = null, created_at = now() - interval '91 days'
    where project_id = ${project.id} and version = 'old'`.execute(t.db);
  await age();
  await runRetention(t.database.pool, 90, { anyway: true });
  assert.deepEqual(await namesOf(project), ["~/old.js.map"]);
  await sql`delete from artifacts where project_id = ${project.id}`.execute(t.db);
  await runRetention(t.database.pool, 90, { anyway: true });
  assert.equal((await project.admin.get(`/api/projects/${project.id}/releases/old`)).status, 404);
});
