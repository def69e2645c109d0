import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { TRACES } from "../../../../test/support/error-events.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Release, ReleaseDetail } from "../../../shared/releases.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const releasesOf = ({ id }: TestProject) => `/api/projects/${id}/releases`;

async function list(project: TestProject): Promise<Release[]> {
  const answer = await project.admin.get(releasesOf(project));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** The two addresses of a release. */
const addressesOf = (project: TestProject, version: string) => {
  const name = encodeURIComponent(version);
  return [`${releasesOf(project)}/${name}`, `/api/projects/${project.id}/release?version=${name}`] as const;
};

async function read(project: TestProject, version: string): Promise<ReleaseDetail> {
  const answer = await project.admin.get(addressesOf(project, version)[0]);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const counts = ({ events, new_groups, regressed_groups, resolved_groups }: Release) => [
  events,
  new_groups,
  regressed_groups,
  resolved_groups,
];

test("the first event of a release creates it, and later events are counted", async () => {
  const project = await openProject(t, workspace);
  const group = await project.first({ release: "1.0.0" });
  await project.send({ release: "1.0.0" });
  await project.send({ release: "1.0.0", stack_trace: TRACES.search });
  await project.send();
  const [release, ...others] = await list(project);
  assert.ok(release);
  assert.deepEqual(others, []);
  assert.deepEqual([release.version, release.deploys, counts(release)], ["1.0.0", [], [3, 2, 0, 0]]);
  assert.equal(release.first_seen_at?.slice(0, 26), group.first_seen_at.slice(0, 26));
});

test("a release counts only groups whose first event it sent as new", async () => {
  const project = await openProject(t, workspace);
  await project.send();
  await project.send({ release: "1.0.0" });
  await project.send({ release: "1.1.0", stack_trace: TRACES.search });
  await project.send({ release: "1.0.0", stack_trace: TRACES.search });
  assert.deepEqual((await list(project)).map(counts), [
    [1, 1, 0, 0],
    [2, 0, 0, 0],
  ]);
  const { introduced } = await read(project, "1.1.0");
  assert.deepEqual(
    introduced.map((group) => group.release),
    ["1.1.0"],
  );
});

test("a release counts the groups that it regressed, each once", async () => {
  const project = await openProject(t, workspace);
  await project.send({ release: "1.0.0" });
  const group = await project.only();
  for (const release of ["1.1.0", "1.0.0", "1.1.0"]) {
    await project.admin.post(`${project.groups}/${group.id}/resolve`);
    await project.send({ release });
    await project.send({ release });
  }
  assert.equal((await project.only()).reopen_count, 3);
  const [newer, older] = await list(project);
  assert.deepEqual(
    [newer, older].map((release) => counts(release as Release).slice(0, 3)),
    [
      [4, 0, 1],
      [3, 1, 1],
    ],
  );
  assert.deepEqual(
    (await read(project, "1.1.0")).regressed.map(({ id }) => id),
    [group.id],
  );
});

test("an event without a release regresses a group in no release", async () => {
  const project = await openProject(t, workspace);
  const group = await project.first({ release: "1.0.0" });
  await project.admin.post(`${project.groups}/${group.id}/resolve`);
  await project.send();
  assert.equal((await project.only()).status, 0);
  assert.deepEqual((await list(project)).map(counts), [[1, 1, 0, 0]]);
});

test("a deploy hook creates a release with 201, and adds a deploy to a known one with 200", async () => {
  const project = await openProject(t, workspace);
  const hook = t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id));
  const body = {
    version: "2.0.0",
    environment: "production",
    commit: "9f2c1e7",
    url: "https://ci.example.com/1",
  };
  const first = await hook.post(releasesOf(project), body);
  const second = await hook.post(releasesOf(project), { version: "2.0.0", environment: "staging" });
  assert.deepEqual([first.status, second.status], [201, 200]);
  const [staging, production] = second.body.deploys;
  assert.deepEqual({ ...production, version: "2.0.0" }, { ...body, deployed_at: first.body.first_seen_at });
  assert.deepEqual([staging.environment, staging.commit, staging.url], ["staging", null, null]);
  assert.equal(second.body.first_seen_at, first.body.first_seen_at);
  assert.deepEqual(await list(project), [second.body]);
});

test("an address of a deploy with a NUL character returns 422", async () => {
  const project = await openProject(t, workspace);
  const answer = await project.admin.post(releasesOf(project), {
    version: "1.0.0",
    url: "https://ci.test/\0",
  });
  assert.deepEqual(refusalOf(answer), [422, "url"]);
});

test("the same environment and time again add no deploy", async () => {
  const project = await openProject(t, workspace);
  for (const environment of ["production", undefined]) {
    const body = { version: "2.0.0", environment, deployed_at: "2026-11-20T12:00:00+02:00" };
    await project.admin.post(releasesOf(project), body);
    const again = await project.admin.post(releasesOf(project), { ...body, commit: "other" });
    assert.equal(again.status, 200);
  }
  const [release] = await list(project);
  assert.deepEqual(
    release?.deploys.map(({ environment, deployed_at, commit }) => [environment, deployed_at, commit]),
    [
      [null, "2026-11-20T10:00:00.000000Z", null],
      ["production", "2026-11-20T10:00:00.000000Z", null],
    ],
  );
});

test("a deploy counts as seen at its own time, but never in the future", async () => {
  const project = await openProject(t, workspace);
  await project.send({ release: "1.0.0" });
  const post = async (deployed_at: string) =>
    (await project.admin.post(releasesOf(project), { version: "1.0.0", deployed_at })).body as Release;
  const { first_seen_at: before } = (await list(project))[0] as Release;
  assert.equal((await post("2999-01-01T00:00:00Z")).first_seen_at, before);
  assert.equal((await post("2026-01-02T03:04:05Z")).first_seen_at, "2026-01-02T03:04:05.000000Z");
  const planned = await project.admin.post(releasesOf(project), {
    version: "2",
    deployed_at: "2999-01-01T00:00:00Z",
  });
  assert.ok(planned.body.first_seen_at < "2999");
});

for (const [field, value] of [
  ["version", undefined],
  ["version", " "],
  ["version", "1.0\n"],
  ["version", "a".repeat(256)],
  ["version", 4],
  ["environment", "a".repeat(256)],
  ["commit", 7],
  ["url", "javascript:alert(1)"],
  ["url", "https://"],
  ["url", "ftp://example.com/"],
  ["url", "https://example.com/ x"],
  ["url", `https://example.com/${"a".repeat(2_000)}`],
  ["deployed_at", "yesterday"],
] as const)
  test(`a deploy whose ${field} is ${String(value).slice(0, 30)} returns 422 and records nothing`, async () => {
    const project = await openProject(t, workspace);
    const answer = await project.admin.post(releasesOf(project), { version: "1", [field]: value });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
    assert.deepEqual(await list(project), []);
  });

test("any version of an event can be read in the path and as a parameter, and an unknown one returns 404", async () => {
  const project = await openProject(t, workspace);
  for (const version of [
    "@acme/shop@1.2.3",
    "100 %",
    "a?b#c&d",
    "Größe 7 🚀",
    "x".repeat(900),
    "two\nlines",
  ]) {
    await project.send({ release: version });
    for (const address of addressesOf(project, version)) {
      const answer = await project.admin.get(address);
      assert.deepEqual([answer.status, answer.body.version], [200, version]);
    }
  }
  for (const unknown of ["1.2.3", "a\0b"])
    for (const address of addressesOf(project, unknown))
      assert.equal((await project.admin.get(address)).status, 404, address);
});

test("recording a deploy requires Error Groups: Update, and a project token with the write scope", async () => {
  const project = await openProject(t, workspace);
  const viewer = t.http.as(
    await makePersonalToken(t.db, (await makeMember(t.db, project.id, { role: "Viewer" })).id),
  );
  const reader = t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id, { access: "read" }));
  for (const client of [viewer, reader]) {
    assert.equal((await client.post(releasesOf(project), { version: "1" })).status, 403);
    assert.equal((await client.get(releasesOf(project))).status, 200);
  }
  assert.deepEqual(await list(project), []);
});

test("while someone changes a release, events of known releases do not wait, and a new release is created once", async () => {
  const project = await openProject(t, workspace);
  await project.send({ release: "1.0.0" });
  const { id } = project;
  await collide(t.database, `select from releases where project_id = ${id} for update`, async () => {
    await project.send({ release: "1.0.0" });
    return [];
  });
  const uncommitted = `insert into releases (project_id, version_hash, version)
    values (${id}, sha256('2.0.0'), '2.0.0')`;
  await collide(t.database, uncommitted, async (waiting) => {
    const sent = project.send({ release: "2.0.0" });
    await waiting(1);
    return [sent];
  });
  assert.deepEqual(
    (await list(project)).map((release) => [release.version, release.first_seen_at !== null, release.events]),
    [
      ["2.0.0", true, 1],
      ["1.0.0", true, 2],
    ],
  );
});
