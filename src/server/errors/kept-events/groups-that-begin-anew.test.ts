import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { listGroups, mergeInto, sendAs, traceOf } from "../../../../test/support/merge.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Grouping } from "../../../shared/error-grouping.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openProject(t, workspace);
  /** Sends events of each fingerprint, which arrive and are stored together. */
  const sendTogether = async (names: string[], count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, () => names)
        .flat()
        .map((name) =>
          project.sender.post(project.events, anEvent({ stack_trace: traceOf(name), exception_class: name })),
        ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  };
  const keptOf = async ({ id }: ErrorGroup) =>
    (await project.admin.get(`${project.groups}/${id}/events`)).body.data.length as number;
  return { project, sendTogether, keptOf };
}

async function splitOff(project: Awaited<ReturnType<typeof openProject>>, { id }: ErrorGroup) {
  const url = `${project.groups}/${id}`;
  const { fingerprints } = (await project.admin.get(`${url}/grouping`)).body as Grouping;
  const merged = fingerprints.filter(({ own }) => !own).map(({ fingerprint }) => fingerprint);
  assert.equal((await project.admin.post(`${url}/unmerge`, { fingerprints: merged })).status, 200);
}

test("the first events of a fingerprint that was split off are kept, even if they arrive together", async () => {
  const { project, sendTogether, keptOf } = await open();
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  await mergeInto(project, a.id, [b.id]);
  for (let n = 0; n < 2; n++) await sendTogether(["B"], 12);
  await splitOff(project, a);
  await sendTogether(["B"], 8);
  const split = (await listGroups(project)).find(({ id }) => id !== a.id) as ErrorGroup;
  assert.deepEqual([split.occurrence_count, await keptOf(split)], [8, 8]);
});

for (const [status, verb] of [
  ["resolved", "resolve"],
  ["ignored", "ignore"],
])
  test(`the first events of a group that begins anew are kept if it was ${status} before`, async () => {
    const { project, sendTogether, keptOf } = await open();
    const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
    await mergeInto(project, a.id, [b.id]);
    await sendTogether(["A", "B"], 12);
    const url = `${project.groups}/${a.id}`;
    assert.equal((await project.admin.post(`${url}/${verb}`)).status, 200);
    await sendTogether(["A", "B"], 2);
    assert.equal((await project.admin.post(`${url}/${verb}`)).status, 200);
    await splitOff(project, a);
    await sendTogether(["B"], 8);
    const split = (await listGroups(project)).find(({ id }) => id !== a.id) as ErrorGroup;
    await sql`delete from error_groups where id = ${a.id}`.execute(t.db);
    await sendTogether(["A", "C"], 8);
    const groups = (await listGroups(project)).filter(({ id }) => id !== split.id);
    assert.deepEqual(
      await Promise.all(
        [split, ...groups].map(async (group) => [group.occurrence_count, await keptOf(group)]),
      ),
      [
        [8, 8],
        [8, 8],
        [8, 8],
      ],
    );
  });

test("the first events of groups that were deleted are kept again, even if they arrive together", async () => {
  const { project, sendTogether, keptOf } = await open();
  for (let n = 0; n < 2; n++) await sendTogether(["A", "B"], 12);
  await sql`delete from error_groups where project_id = ${project.id}`.execute(t.db);
  await sendTogether(["A", "B"], 8);
  const groups = await listGroups(project);
  assert.deepEqual(
    await Promise.all(groups.map(async (group) => [group.occurrence_count, await keptOf(group)])),
    [
      [8, 8],
      [8, 8],
    ],
  );
});
