import assert from "node:assert/strict";
import { test } from "node:test";
import { TRACES } from "../../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Release } from "../../../shared/releases.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** How many groups each release fixed, newest release first. Fails if the list of one of them has another number. */
async function fixed(project: TestProject): Promise<Record<string, number>> {
  const path = `/api/projects/${project.id}/releases`;
  const { data } = (await project.admin.get(path)).body as { data: Release[] };
  for (const { version, resolved_groups } of data) {
    const { resolved } = (await project.admin.get(`${path}/${version}`)).body;
    assert.equal(resolved.length, resolved_groups, version);
  }
  return Object.fromEntries(data.map(({ version, resolved_groups }) => [version, resolved_groups]));
}

/** A project whose latest release is 1.1.0, with a group that was last seen in 1.0.0. */
async function withOldGroup() {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  await project.admin.post(`/api/projects/${project.id}/releases`, { version: "1.1.0" });
  const act = async (action: string, body?: object, groupId = id) =>
    assert.equal((await project.admin.post(`${project.groups}/${groupId}/${action}`, body)).status, 200);
  return { project, id, act };
}

test("a group that is resolved while a release is the latest one is fixed in it", async () => {
  const { project, act } = await withOldGroup();
  await act("resolve");
  assert.deepEqual(await fixed(project), { "1.1.0": 1, "1.0.0": 0 });
});

test("a group is not fixed in the release in which it was last seen", async () => {
  const { project, id, act } = await withOldGroup();
  await project.send({ release: "1.1.0" });
  await act("resolve");
  assert.deepEqual(await fixed(project), { "1.1.0": 0, "1.0.0": 0 });
  await act("resolve", { in: { release: "1.1.0" } }, id);
  assert.deepEqual(await fixed(project), { "1.1.0": 0, "1.0.0": 0 });
});

test("a release does not list a group as fixed once it is open again", async () => {
  for (const reopen of [
    (act: (action: string) => Promise<void>) => act("reopen"),
    (act: (action: string) => Promise<void>) => act("ignore"),
    (_: unknown, project: TestProject) => project.send({ release: "1.2.0" }),
  ]) {
    const { project, act } = await withOldGroup();
    await act("resolve");
    await reopen(act, project);
    assert.equal((await fixed(project))["1.1.0"], 0);
  }
});

test("a group is fixed in the release that its latest resolution names, in no other one", async () => {
  const { project, act } = await withOldGroup();
  await act("resolve");
  await act("resolve", { in: { release: "1.2.0" } });
  assert.deepEqual(await fixed(project), { "1.2.0": 1, "1.1.0": 0, "1.0.0": 0 });
  await act("resolve", { in: "next_release" });
  assert.deepEqual(await fixed(project), { "1.2.0": 0, "1.1.0": 0, "1.0.0": 0 });
});

test("an event of an older release leaves a group fixed", async () => {
  const { project, act } = await withOldGroup();
  await act("resolve", { in: { release: "1.1.0" } });
  await project.send({ release: "0.9.0" });
  assert.equal((await fixed(project))["1.1.0"], 1);
});

test("concurrent resolutions, reopenings and events leave the count and the list of a release equal", async () => {
  const { project } = await withOldGroup();
  for (const stack_trace of Object.values(TRACES)) await project.send({ release: "1.0.0", stack_trace });
  const ids = (await project.admin.get(project.groups)).body.data.map(({ id }: { id: number }) => id);
  const bulk = (status: number, some: number[]) =>
    project.admin.post("/api/error-groups/bulk-status", { error_group_ids: some, status });
  await Promise.all([
    bulk(1, ids),
    bulk(0, ids.slice(1)),
    bulk(1, ids.toReversed()),
    project.send({ release: "1.3.0" }),
    bulk(1, ids),
  ]);
  await fixed(project);
});
