import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const fixOf = async (project: TestProject, query: Record<string, string>) => {
  const answer = await project.admin.get(
    `/api/projects/${project.id}/fix-release?${new URLSearchParams(query)}`,
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body.version as string | null;
};
const deploy = async (project: TestProject, version: string) => {
  const answer = await project.admin.post(`/api/projects/${project.id}/releases`, { version });
  assert.equal(answer.status, 201, answer.text);
};

/** A project with an error that was resolved while 2.0.0 was the latest release. */
async function resolved(body?: object): Promise<{ project: TestProject; error_group_ids: string }> {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "2.0.0" });
  assert.equal((await project.admin.post(`${project.groups}/${id}/resolve`, body)).status, 200);
  return { project, error_group_ids: String(id) };
}

test("a fix is in the first newer release after it, regardless of later ones, but not in a hotfix", async () => {
  const { project, error_group_ids } = await resolved();
  assert.equal(await fixOf(project, { error_group_ids }), null);
  await deploy(project, "1.9.9");
  assert.equal(await fixOf(project, { error_group_ids }), null);
  await deploy(project, "2.0.1");
  await sql`
    insert into releases (project_id, version_hash, version, first_seen_at)
    select ${project.id}, sha256(convert_to('3.0.' || n, 'UTF8')), '3.0.' || n, clock_timestamp()
    from generate_series(1, 250) n`.execute(t.db);
  assert.equal(await fixOf(project, { error_group_ids }), "2.0.1");
});

test("a fix resolved in a named release is in that release", async () => {
  const { project, error_group_ids } = await resolved({ in: { release: "2.2.0" } });
  await deploy(project, "2.1.0");
  assert.equal(await fixOf(project, { error_group_ids }), null);
  await project.send({ release: "2.2.0", exception_class: "Another" });
  assert.equal(await fixOf(project, { error_group_ids }), "2.2.0");
});

test("fixes of several errors are released once all of them are, and only those of the project count", async () => {
  const { project, error_group_ids } = await resolved();
  await project.send({ release: "2.0.0", exception_class: "Another" });
  const other = (await project.admin.get(`${project.groups}?query=Another`)).body.data[0].id;
  await deploy(project, "2.1.0");
  const both = { error_group_ids: `${error_group_ids},${other}` };
  assert.equal(await fixOf(project, both), null);
  await project.admin.post(`${project.groups}/${other}/resolve`);
  await deploy(project, "2.2.0");
  assert.equal(await fixOf(project, both), "2.2.0");
  const elsewhere = await resolved();
  await deploy(elsewhere.project, "2.1.0");
  const foreign = `${error_group_ids},${elsewhere.error_group_ids}`;
  assert.equal(await fixOf(project, { error_group_ids: foreign }), null);
});

test("without errors, it is the first release after the moment when the issue was closed", async () => {
  const project = await openProject(t, workspace);
  await deploy(project, "1.0.0");
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(t.db);
  const closed_at = rows[0]?.now ?? "";
  assert.equal(await fixOf(project, { closed_at }), null);
  await deploy(project, "1.1.0");
  await deploy(project, "1.2.0");
  assert.equal(await fixOf(project, { closed_at }), "1.1.0");
  assert.equal(await fixOf(project, {}), null);
  const refused = await project.admin.get(`/api/projects/${project.id}/fix-release?closed_at=soon`);
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["closed_at"]]);
});
