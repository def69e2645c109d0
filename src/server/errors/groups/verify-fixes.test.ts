import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { TRACES } from "../../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ResolveIn } from "../../../shared/error-groups.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { verifyFixes } from "./verify-fixes.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Moves everything in the project into the past. */
async function pass(project: TestProject, hours: number) {
  const past = sql`make_interval(hours => ${hours})`;
  await sql`update releases set first_seen_at = first_seen_at - ${past} where project_id = ${project.id}`.execute(
    t.db,
  );
  await sql`update error_groups set resolved_at = resolved_at - ${past} where project_id = ${project.id}`.execute(
    t.db,
  );
  await sql`update fix_verifications set checked_until = checked_until - ${past} where project_id = ${project.id}`.execute(
    t.db,
  );
}

async function isVerified(project: TestProject): Promise<boolean> {
  await verifyFixes(t.db);
  return (await project.only()).verified_at !== null;
}

async function deploy(project: TestProject, version: string, hoursAgo = 0) {
  const deployed_at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const body = { version, ...(hoursAgo > 0 && { deployed_at }) };
  assert.ok((await project.admin.post(`/api/projects/${project.id}/releases`, body)).status < 300);
}

async function resolved(releases: string[], resolveIn?: ResolveIn): Promise<TestProject> {
  const project = await openProject(t, workspace);
  for (const release of releases) await project.send({ release });
  const group = await project.only();
  await project.admin.post(`${project.groups}/${group.id}/resolve`, { in: resolveIn });
  return project;
}

for (const [how, resolveIn] of [
  ["plainly", undefined],
  ["in the next release", "next_release"],
] as const)
  test(`a fix resolved ${how} is verified 48 hours after a newer release appeared, and only then`, async () => {
    const project = await resolved(["1.0.0"], resolveIn);
    await pass(project, 100);
    assert.equal(await isVerified(project), false, "no newer release");
    await deploy(project, "0.9.9");
    await deploy(project, "1.1.0");
    await pass(project, 47);
    assert.equal(await isVerified(project), false, "not long enough");
    await pass(project, 1);
    assert.equal(await isVerified(project), true);
  });

test("an event of another error shows that a newer release is running", async () => {
  const project = await resolved(["1.0.0"]);
  const { id } = await project.only();
  await project.send({ release: "1.1.0", stack_trace: TRACES.search });
  await pass(project, 48);
  await verifyFixes(t.db);
  assert.notEqual((await project.admin.get(`${project.groups}/${id}`)).body.verified_at, null);
});

test("a hotfix of an older version verifies nothing", async () => {
  const project = await resolved(["1.1.0"]);
  await deploy(project, "1.0.1");
  await pass(project, 100);
  assert.equal(await isVerified(project), false);
});

test("a fix resolved in a named release is verified 48 hours after that release appeared", async () => {
  const project = await resolved(["1.0.0"], { release: "1.2.0" });
  await deploy(project, "1.1.0");
  await pass(project, 100);
  assert.equal(await isVerified(project), false);
  await deploy(project, "1.2.0");
  await pass(project, 48);
  assert.equal(await isVerified(project), true);
});

test("the 48 hours start with the resolution if the newer release is older than that", async () => {
  const project = await openProject(t, workspace);
  await project.send({ release: "1.0.0" });
  await deploy(project, "1.1.0");
  await pass(project, 100);
  const group = await project.only();
  await project.admin.post(`${project.groups}/${group.id}/resolve`, { in: { release: "1.1.0" } });
  assert.equal(await isVerified(project), false);
  await pass(project, 48);
  assert.equal(await isVerified(project), true);
});

test("a newer release verifies a fix if it is recorded 48 hours after its deploy", async () => {
  const project = await resolved(["1.0.0"]);
  await pass(project, 100);
  assert.equal(await isVerified(project), false);
  await deploy(project, "1.1.0", 49);
  assert.equal(await isVerified(project), true);
});

test("a fix whose group is locked is verified by a later run", async () => {
  const project = await resolved(["1.0.0"]);
  const { id } = await project.only();
  await deploy(project, "1.1.0");
  await pass(project, 48);
  await t.db.transaction().execute(async (tx) => {
    await sql`select from error_groups where id = ${id} for update`.execute(tx);
    assert.equal(await isVerified(project), false);
  });
  assert.equal(await isVerified(project), true);
});

test("after the clock was set back, fixes are verified as before", async () => {
  const project = await resolved(["1.0.0"]);
  await deploy(project, "1.1.0");
  await sql`insert into fix_verifications (project_id, checked_until) values (${project.id}, now() + interval '1 year')
    on conflict (project_id) do update set checked_until = excluded.checked_until`.execute(t.db);
  await pass(project, 48);
  assert.equal(await isVerified(project), true);
});

test("a verified fix is in the history, its resolver is notified once, and a regression ends it", async () => {
  const project = await resolved(["main-1"], "next_release");
  await deploy(project, "main-2");
  await pass(project, 48);
  assert.equal(await isVerified(project), true);
  assert.equal(await isVerified(project), true);
  const { id } = await project.only();
  const { data } = (await project.admin.get(`${project.groups}/${id}/activity`)).body;
  assert.deepEqual(
    data
      .filter((entry: { kind: string }) => entry.kind === "verified")
      .map(({ actor_id, to }: { actor_id: number | null; to: unknown }) => [actor_id, to]),
    [[null, "main-2"]],
  );
  const inbox = (await project.admin.get("/api/notifications?include=all&type=13")).body as Notification[];
  const own = inbox.filter(({ notifiable }) => notifiable.type === "error_group" && notifiable.id === id);
  assert.equal(own.length, 1);
  assert.equal(own[0]?.actor, null);
  await project.send({ release: "main-2" });
  const regressed = await project.only();
  assert.deepEqual([regressed.status, regressed.verified_at], [0, null]);
});
