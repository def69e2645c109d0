import assert from "node:assert/strict";
import { test } from "node:test";
import { failWrites } from "../../../../test/support/fail-writes.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type Step = "resolve" | "ignore" | "reopen" | { release?: string };

/** Applies the steps to a new group. Returns the response of the last step, or the resulting group. */
async function reach(
  steps: Step[],
  project?: TestProject,
): Promise<{ project: TestProject; group: ErrorGroup }> {
  const opened = project ?? (await openProject(t, workspace));
  let group: ErrorGroup | undefined = project && (await project.only());
  for (const step of steps) {
    if (typeof step === "object") {
      await opened.send(step);
      group = await opened.only();
    } else {
      const answer = await opened.admin.post(`${opened.groups}/${group?.id}/${step}`);
      assert.equal(answer.status, 200, answer.text);
      group = answer.body as ErrorGroup;
      assert.deepEqual(group, await opened.only(), "the answer is the full resource as it is now");
    }
  }
  return { project: opened, group: group as ErrorGroup };
}

/** The fields that a change of status affects. */
function settled(group: ErrorGroup) {
  const { status, resolved_at, resolved_by_id, regressed_at, reopen_count, occurrence_count } = group;
  return { status, resolved_at, resolved_by_id, regressed_at, reopen_count, occurrence_count };
}

test("a first event creates an Open group with one occurrence", async () => {
  const { group } = await reach([{ release: "1" }]);
  assert.deepEqual(settled(group), {
    status: 0,
    resolved_at: null,
    resolved_by_id: null,
    regressed_at: null,
    reopen_count: 0,
    occurrence_count: 1,
  });
  assert.equal(group.first_seen_at, group.last_seen_at);
});

for (const [name, steps] of [
  ["an Open group", []],
  ["an Ignored group", ["ignore"]],
  ["a reopened group", ["resolve", "reopen"]],
] as [string, Step[]][])
  test(`resolving ${name} sets it to Resolved by the caller, now`, async () => {
    const { project, group: before } = await reach([{ release: "1" }, ...steps]);
    const { group } = await reach(["resolve"], project);
    assert.deepEqual([group.status, group.resolved_by_id], [1, workspace.admin.id]);
    assert.ok(String(group.resolved_at) > before.updated_at);
    assert.match(String(group.resolved_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    assert.equal(group.updated_at.slice(0, 22), String(group.resolved_at).slice(0, 22));
  });

test("resolving a regressed group clears regressed_at and keeps reopen_count", async () => {
  const { project, group: regressed } = await reach([{ release: "1" }, "resolve", { release: "2" }]);
  const { group } = await reach(["resolve"], project);
  assert.deepEqual([group.status, group.regressed_at, group.reopen_count], [1, null, 1]);
  assert.ok(String(group.resolved_at) > String(regressed.resolved_at));
});

test("resolving records the release of the latest event, not of the first", async () => {
  const { project } = await reach([{ release: "1" }, { release: "2" }, "resolve"]);
  assert.equal((await reach([{ release: "2" }], project)).group.status, 1);
  assert.equal((await reach([{ release: "1" }], project)).group.status, 0);
});

for (const [verb, steps] of [
  ["resolve", ["resolve"]],
  ["ignore", ["ignore"]],
  ["reopen", []],
  ["reopen", ["ignore", "reopen"]],
] as ["resolve" | "ignore" | "reopen", Step[]][])
  test(`${verb} after ${steps.join(", ") || "nothing"} returns 200 and changes no field`, async () => {
    const { project, group: before } = await reach([{ release: "1" }, ...steps]);
    const { group } = await reach([verb], project);
    assert.deepEqual(group, before);
  });

test("resolving again keeps who resolved the group first", async () => {
  const { project, group: before } = await reach([{ release: "1" }, "resolve"]);
  const other = t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, project.id)).id));
  const answer = await other.post(`${project.groups}/${before.id}/resolve`);
  assert.deepEqual([answer.status, answer.body], [200, before]);
});

for (const [verb, status] of [
  ["ignore", 2],
  ["reopen", 0],
] as const)
  for (const [name, steps] of [
    ["a Resolved group", ["resolve"]],
    ["a regressed group", ["resolve", { release: "2" }]],
  ] as [string, Step[]][])
    test(`${verb} of ${name} clears who resolved it and when, and the regression`, async () => {
      const { project, group: before } = await reach([{ release: "1" }, ...steps]);
      const { group } = await reach([verb], project);
      assert.deepEqual(settled(group), {
        status,
        resolved_at: null,
        resolved_by_id: null,
        regressed_at: null,
        reopen_count: before.reopen_count,
        occurrence_count: before.occurrence_count,
      });
      assert.ok(group.updated_at > before.updated_at);
    });

test("reopening an Ignored group makes it Open, and the next event is not a regression", async () => {
  const { project, group } = await reach([{ release: "1" }, "ignore", "reopen"]);
  assert.equal(group.status, 0);
  const { group: next } = await reach([{ release: "2" }], project);
  assert.deepEqual([next.status, next.regressed_at, next.reopen_count], [0, null, 0]);
});

test("an event of the resolved release keeps a Resolved group Resolved and is counted", async () => {
  const { group: before, project } = await reach([{ release: "1" }, "resolve"]);
  const { group } = await reach([{ release: "1" }, { release: "1" }], project);
  assert.deepEqual(settled(group), { ...settled(before), occurrence_count: 3 });
});

for (const [name, steps, event] of [
  ["of another release", [{ release: "1" }], { release: "2" }],
  ["without a release", [{ release: "1" }], {}],
  ["of an empty release", [{ release: "1" }], { release: "" }],
  ["of the first release, not the remembered one", [{ release: "1" }, { release: "2" }], { release: "1" }],
  ["of any release when none was remembered", [{}], { release: "1" }],
  ["without a release when none was remembered", [{}], {}],
  ["of an earlier release when the latest had none", [{ release: "1" }, {}], { release: "1" }],
] as [string, Step[], { release?: string }][])
  test(`an event ${name} regresses a Resolved group at the event's time`, async () => {
    const { project, group: before } = await reach([...steps, "resolve"]);
    const { group } = await reach([event], project);
    assert.deepEqual(settled(group), {
      ...settled(before),
      status: 0,
      regressed_at: group.last_seen_at,
      reopen_count: 1,
      occurrence_count: before.occurrence_count + 1,
    });
    assert.ok(group.last_seen_at > String(before.resolved_at));
  });

test("further events of a regressed group are counted and change nothing else", async () => {
  const { project, group: before } = await reach([{ release: "1" }, "resolve", { release: "2" }]);
  const { group } = await reach([{ release: "3" }, {}], project);
  assert.deepEqual(settled(group), { ...settled(before), occurrence_count: 4 });
});

test("an Ignored group stays Ignored, and its events are counted", async () => {
  const { group } = await reach([{ release: "1" }, "ignore", { release: "2" }, {}]);
  assert.deepEqual([group.status, group.regressed_at, group.occurrence_count], [2, null, 3]);
});

test("each regression after a resolution raises reopen_count by one", async () => {
  const { group } = await reach([{ release: "1" }, "resolve", { release: "2" }, "resolve", {}, "reopen"]);
  assert.deepEqual([group.status, group.reopen_count, group.regressed_at], [0, 2, null]);
});

test("a release cleared by reopening is not used at the next resolution", async () => {
  const { project } = await reach([{ release: "1" }, "resolve", "reopen", { release: "2" }, "resolve"]);
  assert.equal((await reach([{ release: "2" }], project)).group.status, 1);
  assert.equal((await reach([{ release: "1" }], project)).group.status, 0);
});

test("a group id that is unknown, malformed or of another project returns 404 and changes nothing", async () => {
  const mine = await openProject(t, workspace);
  const other = await openProject(t, workspace);
  const { id } = await other.first();
  for (const verb of ["resolve", "ignore", "reopen"])
    for (const path of [id, 999_999_999, "abc", "0", "1.5", "-1", `${id}x`, "9".repeat(30)]) {
      const answer = await mine.admin.post(`${mine.groups}/${path}/${verb}`);
      assert.deepEqual([answer.status, typeof answer.body.message], [404, "string"], `${verb} ${path}`);
    }
  assert.equal((await mine.admin.get(`${mine.groups}/${id}`)).status, 404);
  assert.equal((await mine.admin.get(`${mine.groups}/abc`)).status, 404);
  assert.equal((await other.only()).status, 0);
});

test("the body is optional: none, {}, or an empty one of type JSON", async () => {
  const { project, group } = await reach([{ release: "1" }]);
  const url = `${project.groups}/${group.id}`;
  const empty = { method: "POST", headers: { "content-type": "application/json" }, payload: "" };
  assert.equal((await project.admin.post(`${url}/resolve`)).body.status, 1);
  assert.equal((await project.admin.post(`${url}/ignore`, {})).body.status, 2);
  assert.equal((await project.admin.send({ ...empty, url: `${url}/reopen` })).body.status, 0);
});

test("changing a status requires Error Groups: Update, by session or writing personal token; a project token is refused", async () => {
  const { project, group } = await reach([{ release: "1" }]);
  const url = `${project.groups}/${group.id}/resolve`;
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  const member = await makeMember(t.db, project.id, { role: "Member" });
  for (const token of [
    await makeProjectToken(t.db, project.id, workspace.admin.id),
    await makeProjectToken(t.db, project.id, workspace.admin.id, { access: "read" }),
    await makePersonalToken(t.db, viewer.id),
    await makePersonalToken(t.db, member.id, { write: false }),
  ]) {
    assert.equal((await t.http.as(token).post(url)).status, 403);
  }
  assert.equal((await t.http.post(url)).status, 401);
  assert.deepEqual(await project.only(), group);
  const answer = await t.http.as(await makePersonalToken(t.db, member.id)).post(url);
  assert.deepEqual([answer.status, answer.body.resolved_by_id], [200, member.id]);
});

test("if writing fails, the response is a 500 without internals, and the group is unchanged", async () => {
  const { project, group } = await reach([{ release: "1" }, "ignore"]);
  const stopFailing = await failWrites(t.db, { table: "error_groups", id: group.id });
  const answer = await project.admin.post(`${project.groups}/${group.id}/resolve`);
  await stopFailing();
  assert.equal(answer.status, 500);
  assert.deepEqual(Object.keys(answer.body).sort(), ["message", "request_id"]);
  assert.doesNotMatch(answer.text, /error_groups|no writes/);
  assert.deepEqual(await project.only(), group);
});

test("concurrent events and a resolution on two processes regress a group at most once", async () => {
  const second = await openAppOn(t.database.url);
  try {
    for (let round = 0; round < 8; round++) {
      const project = await openProject(t, workspace);
      const { id } = await project.first({ release: "1" });
      const elsewhere = second.http.as(await makePersonalToken(t.db, workspace.admin.id));
      await elsewhere.post(`${project.groups}/${id}/resolve`);
      const sent = Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? project.admin : elsewhere).post(
          project.events,
          anEvent({ release: n < 10 ? "1" : "2" }),
        ),
      );
      for (const answer of await Promise.all(sent)) assert.equal(answer.status, 202);
      const group = await project.only();
      assert.deepEqual([group.status, group.reopen_count, group.occurrence_count], [0, 1, 21]);
      assert.equal(group.daily_counts.at(-1), 21);
    }
  } finally {
    await second.close();
  }
});
