import assert from "node:assert/strict";
import { test } from "node:test";
import { collide } from "../../../../test/support/collide.ts";
import { anEvent, TRACES } from "../../../../test/support/error-events.ts";
import { makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroup, ResolveIn } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function resolve(project: TestProject, id: number, resolveIn?: ResolveIn): Promise<ErrorGroup> {
  const answer = await project.admin.post(`${project.groups}/${id}/resolve`, { in: resolveIn });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** Events of these releases arrive, `-` without one. Then the group is resolved; then further events arrive. */
type Case = { before: string[]; in: ResolveIn; after: string; regresses: boolean };

const named = (release: string) => ({ release });

const CASES: Case[] = [
  { before: ["1.0.0"], in: "next_release", after: "1.0.0", regresses: false },
  { before: ["1.0.0", "1.1.0"], in: "next_release", after: "1.0.0", regresses: false },
  { before: ["1.1.0"], in: "next_release", after: "1.2.0", regresses: true },
  { before: ["1.1.0"], in: "next_release", after: "1.1.0+7", regresses: true },
  // A hotfix of an older version does not contain the fix.
  { before: ["1.1.0"], in: "next_release", after: "1.0.1", regresses: false },
  { before: ["1.1.0"], in: "next_release", after: "1.1.0-rc.2", regresses: false },
  { before: ["main-7"], in: "next_release", after: "main-6", regresses: true },
  { before: ["-"], in: "next_release", after: "1.0.0", regresses: true },
  { before: ["1.0.0"], in: "next_release", after: "-", regresses: true },
  { before: ["1.0.0"], in: named("1.2.0"), after: "1.0.0", regresses: false },
  { before: ["1.0.0"], in: named("1.2.0"), after: "1.1.9", regresses: false },
  { before: ["1.0.0"], in: named("1.2.0"), after: "1.2.0", regresses: true },
  { before: ["1.0.0"], in: named("1.2.0"), after: "v1.2.0", regresses: true },
  { before: ["1.0.0"], in: named("1.2.0"), after: "1.10.0", regresses: true },
  { before: ["1.0.0", "1.1.0", "1.2.0"], in: named("1.1.0"), after: "1.1.0", regresses: true },
  { before: ["1.0.0", "1.1.0", "1.2.0"], in: named("1.1.0"), after: "1.2.0", regresses: true },
  { before: ["1.0.0", "1.1.0", "1.2.0"], in: named("1.1.0"), after: "1.0.0", regresses: false },
  { before: ["a", "b", "c"], in: named("b"), after: "a", regresses: false },
  { before: ["a", "b", "c"], in: named("b"), after: "c", regresses: true },
  { before: ["a"], in: named("b"), after: "0-before-b", regresses: false },
  { before: ["1.0.0"], in: named("1.2.0"), after: "-", regresses: true },
];

const nameOf = (resolveIn: ResolveIn) =>
  resolveIn === "next_release" ? "the next release" : resolveIn.release;
const release = (name: string) => (name === "-" ? {} : { release: name });

for (const { before, in: resolveIn, after, regresses } of CASES)
  test(`after ${before.join(", ")} a group resolved in ${nameOf(resolveIn)} ${regresses ? "regresses with" : "stays resolved after"} an event of ${after}`, async () => {
    const project = await openProject(t, workspace);
    for (const name of before) await project.send(release(name));
    const { id } = await project.only();
    const resolved = await resolve(project, id, resolveIn);
    assert.deepEqual(
      resolved.resolved_in,
      resolveIn === "next_release"
        ? { mode: "next_release", release: null }
        : { mode: "release", release: resolveIn.release },
    );
    await project.send(release(after));
    const group = await project.only();
    assert.deepEqual(
      [group.status, group.reopen_count, group.occurrence_count],
      [regresses ? 0 : 1, Number(regresses), before.length + 1],
    );
    assert.deepEqual(group.resolved_in, regresses ? null : resolved.resolved_in);
  });

test("a release whose first event another group sent after the resolution opens a group resolved in the next release", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "main-1" });
  await resolve(project, id, "next_release");
  await project.send({ release: "main-2", stack_trace: TRACES.search });
  await project.send({ release: "main-2" });
  assert.equal((await project.admin.get(`${project.groups}/${id}`)).body.status, 0);
});

test("a deploy counts as seen, before and after the resolution", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "main-1" });
  const deploy = async (version: string) =>
    assert.equal((await project.admin.post(`/api/projects/${project.id}/releases`, { version })).status, 201);
  await deploy("main-2");
  await resolve(project, id, "next_release");
  await deploy("main-3");
  await project.send({ release: "main-2" });
  assert.equal((await project.only()).status, 1);
  await project.send({ release: "main-3" });
  assert.equal((await project.only()).status, 0);
});

test("resolving in a release replaces an earlier resolution, and an empty body changes nothing", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  const plain = await resolve(project, id);
  assert.equal(plain.resolved_in, null);
  const next = await resolve(project, id, "next_release");
  assert.ok(String(next.resolved_at) > String(plain.resolved_at));
  assert.deepEqual(await resolve(project, id), next);
  assert.deepEqual((await resolve(project, id, named("2.0.0"))).resolved_in, {
    mode: "release",
    release: "2.0.0",
  });
});

test("a release that only a resolution names is not seen, and not the latest", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  await resolve(project, id, named("2.0.0"));
  await project.send({ stack_trace: TRACES.search });
  const other = (await project.admin.get(project.groups)).body.data[0] as ErrorGroup;
  await resolve(project, other.id);
  const { data } = (await project.admin.get(`/api/projects/${project.id}/releases`)).body;
  type Row = { version: string; first_seen_at: string | null; resolved_groups: number };
  assert.deepEqual(
    data.map((row: Row) => [row.version, row.first_seen_at === null, row.resolved_groups]),
    [
      ["2.0.0", true, 1],
      ["1.0.0", false, 1],
    ],
  );
});

test("bulk status resolves in a release, also groups that are resolved, and rejects it for other statuses", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  await resolve(project, id);
  const bulk = (body: object) =>
    project.admin.post("/api/error-groups/bulk-status", { error_group_ids: [id], ...body });
  const answer = await bulk({ status: 1, in: "next_release" });
  assert.deepEqual(answer.body.data[0].resolved_in, { mode: "next_release", release: null });
  for (const [body, field] of [
    [{ status: 2, in: "next_release" }, "in"],
    [{ status: 1, in: "later" }, "in"],
    [{ status: 1, in: { release: "" } }, "in.release"],
    [{ status: 1, in: {} }, "in.release"],
  ] as const) {
    const refused = await bulk(body);
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, [field]]);
  }
});

test("the first event of a release that waits for a resolution in the next release opens the group again", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "main-1" });
  const answers = await collide(
    t.database,
    `select from error_groups where id = ${id} for update`,
    async (waiting) => {
      const resolving = project.admin.post(`${project.groups}/${id}/resolve`, { in: "next_release" });
      await waiting(1);
      const sending = project.sender.post(project.events, anEvent({ release: "main-2" }));
      await waiting(2);
      return [resolving, sending];
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 202],
  );
  const group = await project.only();
  assert.deepEqual([group.status, group.reopen_count], [0, 1]);
  assert.ok(String(group.regressed_at) >= String(group.resolved_at));
});

test("an event that waits for a resolution sees a release that was committed while it waited", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "main-1" });
  // Another connection, so that the waiting event does not hold up the other group's.
  const other = await openAppOn(t.database.url);
  try {
    const elsewhere = other.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id));
    await collide(t.database, `select from error_groups where id = ${id} for update`, async (waiting) => {
      const resolving = project.admin.post(`${project.groups}/${id}/resolve`, { in: "next_release" });
      await waiting(1);
      const sending = project.sender.post(project.events, anEvent({ release: "main-2" }));
      await waiting(2);
      const event = anEvent({ release: "main-2", stack_trace: TRACES.search });
      assert.equal((await elsewhere.post(project.events, event)).status, 202);
      return [resolving, sending];
    });
  } finally {
    await other.close();
  }
  assert.equal((await project.admin.get(`${project.groups}/${id}`)).body.status, 1);
});

test("if two resolutions race, the later one replaces the other as a whole", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0.0" });
  const post = (resolveIn: ResolveIn) =>
    project.admin.post(`${project.groups}/${id}/resolve`, { in: resolveIn });
  const answers = await collide(
    t.database,
    `select from error_groups where id = ${id} for update`,
    async (waiting) => {
      const first = post(named("2.0.0"));
      await waiting(1);
      const second = post("next_release");
      await waiting(2);
      return [first, second];
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer.body.resolved_in),
    [
      { mode: "release", release: "2.0.0" },
      { mode: "next_release", release: null },
    ],
  );
  assert.deepEqual((await project.only()).resolved_in, { mode: "next_release", release: null });
});
