import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../../test/support/make.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import type { ReleaseDetail } from "../../../../shared/releases.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type Counts = { sessions: number; errored?: number; crashed?: number; abnormal?: number };

async function open() {
  const project = await openProject(t, workspace);
  const releases = `/api/projects/${project.id}/releases`;
  const make = async (version: string, seenHoursAgo: number) => {
    const { rows } = await sql<{ id: number }>`
      insert into releases (project_id, version_hash, version, first_seen_at)
      values (${project.id}, sha256(convert_to(${version}, 'UTF8')), ${version}, now() - make_interval(hours => ${seenHoursAgo}))
      returning id`.execute(t.db);
    const id = rows[0]?.id as number;
    /** Sessions that started that many hours ago. */
    const add = async (hoursAgo: number, counts: Counts, environment = "production") => {
      const { sessions, errored = 0, crashed = 0, abnormal = 0 } = counts;
      await sql`
        insert into release_sessions (release_id, project_id, environment, hour, sessions, errored, crashed, abnormal)
        values (${id}, ${project.id}, ${environment},
          date_trunc('hour', now() - make_interval(hours => ${hoursAgo}), 'UTC'), ${sessions}, ${errored}, ${crashed}, ${abnormal})`.execute(
        t.db,
      );
    };
    return { id, add };
  };
  const read = async (path: string) => {
    const answer = await project.admin.get(`${releases}${path}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const detail = (version: string, query = ""): Promise<ReleaseDetail> =>
    read(`/${encodeURIComponent(version)}${query}`);
  return { ...project, releases, make, read, detail };
}

test("the list has the health of each release, of all environments or of one", async () => {
  const { make, read } = await open();
  const [old, current] = [await make("1.0.0", 100), await make("1.1.0", 50)];
  await old.add(60, { sessions: 800, crashed: 8 });
  await old.add(2, { sessions: 100 });
  await current.add(2, { sessions: 200, errored: 20, crashed: 10, abnormal: 1 });
  await current.add(2, { sessions: 100, crashed: 30 }, "staging");
  const health = async (query: string) =>
    (await read(query)).data.map(({ version, health: of }: ReleaseDetail) => [
      version,
      of.sessions,
      of.crash_free_sessions,
      of.adoption,
    ]);
  assert.deepEqual(await health("?environment=production"), [
    ["1.1.0", 200, 0.95, 2 / 3],
    ["1.0.0", 900, 1 - 8 / 900, 1 / 3],
  ]);
  assert.deepEqual(await health("?environment=staging"), [
    ["1.1.0", 100, 0.7, 1],
    ["1.0.0", 0, null, 0],
  ]);
  assert.deepEqual(await health(""), [
    ["1.1.0", 300, 1 - 40 / 300, 0.75],
    ["1.0.0", 900, 1 - 8 / 900, 0.25],
  ]);
});

test("a release names the environments of its sessions, those with most sessions first, whatever the filter", async () => {
  const { make, read, detail } = await open();
  const [, current] = [await make("1.0.0", 100), await make("1.1.0", 50)];
  await current.add(2, { sessions: 100 }, "staging");
  await current.add(2, { sessions: 90 });
  await current.add(3, { sessions: 20 });
  const environments = ["production", "staging"];
  assert.deepEqual(
    (await read("?environment=staging")).data.map((release: ReleaseDetail) => release.environments),
    [environments, []],
  );
  assert.deepEqual((await detail("1.1.0")).environments, environments);
});

test("the first hours of a release are compared with as many of the release before that has sessions", async () => {
  const { make, detail } = await open();
  const [oldest, , before, current] = [
    await make("1.0.0", 500),
    await make("1.1.0", 400),
    await make("1.2.0", 300),
    await make("1.3.0", 10),
  ];
  await oldest.add(490, { sessions: 1 });
  await before.add(300, { sessions: 500, crashed: 5 });
  await before.add(295, { sessions: 500, crashed: 0 });
  // More than five hours after the first session.
  await before.add(290, { sessions: 500, crashed: 400 });
  await current.add(5, { sessions: 300, crashed: 3 });
  await current.add(0, { sessions: 100, crashed: 1 });
  assert.deepEqual((await detail("1.3.0")).comparison, {
    hours: 6,
    sessions: 400,
    crashed: 4,
    crash_free_sessions: 0.99,
    before: { version: "1.2.0", sessions: 1_000, crashed: 5, crash_free_sessions: 0.995 },
  });
  const { comparison } = await detail("1.0.0");
  assert.deepEqual([comparison?.hours, comparison?.before], [24, null]);
  assert.equal((await detail("1.1.0")).comparison, null);
  assert.equal((await detail("1.3.0", "?environment=staging")).comparison, null);
});

test("releases of another package are not compared", async () => {
  const { make, detail } = await open();
  const [api, web] = [await make("api@1.0.0", 50), await make("web@2.0.0", 40)];
  await api.add(45, { sessions: 100 });
  await web.add(30, { sessions: 100 });
  assert.equal((await detail("web@2.0.0")).comparison?.before, null);
});

test("sessions are read per hour or day, and users per day", async () => {
  const { make, read } = await open();
  const { id, add } = await make("1.0.0", 500);
  await add(0, { sessions: 10, errored: 1, crashed: 2, abnormal: 3 });
  await add(0, { sessions: 5 }, "staging");
  await add(72, { sessions: 20 });
  await add(24 * 40, { sessions: 40 });
  await sql`
    insert into release_user_counts (release_id, environment, day, users, level)
    values (${id}, 'production', (now() at time zone 'UTC')::date, 3, 1), (${id}, 'staging', (now() at time zone 'UTC')::date, 2, 0)`.execute(
    t.db,
  );
  const points = async (query: string) =>
    (await read(`/1.0.0/health${query}`)).data.map(({ at, ...counts }: { at: string }) => {
      assert.match(at, query.includes("interval=day") ? /T00:00:00/ : /:00:00/);
      return Object.values(counts);
    });
  assert.deepEqual(await points("?interval=day&days=7"), [
    [20, 0, 0, 0, 0],
    [15, 1, 2, 3, 8],
  ]);
  assert.deepEqual(await points("?interval=hour&days=1&environment=production"), [[10, 1, 2, 3, null]]);
  assert.equal((await points("?interval=day&days=90")).length, 3);
});

test("an unknown release returns 404, and invalid queries 422", async () => {
  const { admin, releases, make } = await open();
  await make("a/b", 1);
  assert.equal((await admin.get(`${releases}/9.9.9/health`)).status, 404);
  const named = `${releases.replace(/s$/, "")}/health?version=${encodeURIComponent("a/b")}`;
  assert.equal((await admin.get(named)).status, 200);
  for (const query of ["days=0", "days=91", "interval=week", `environment=${"x".repeat(256)}`])
    assert.equal((await admin.get(`${named}&${query}`)).status, 422, query);
});

test("an error's events of the last seven days are compared with the sessions of all releases and environments", async () => {
  const { id, admin, make, send, only } = await open();
  const [old, current] = [await make("1.0.0", 400), await make("1.1.0", 50)];
  await old.add(24 * 8, { sessions: 1_000 });
  await old.add(24 * 3, { sessions: 70 });
  await current.add(2, { sessions: 20, crashed: 3 });
  await current.add(1, { sessions: 10 }, "staging");
  await send();
  await send();
  const path = `/api/projects/${id}/error-groups/${(await only()).id}/sessions`;
  const answer = await admin.get(path);
  assert.deepEqual(answer.body, { days: 7, events: 2, sessions: 100 });
  await sql`update error_groups set last_seen_at = last_seen_at - interval '8 days' where project_id = ${id}`.execute(
    t.db,
  );
  assert.deepEqual((await admin.get(path)).body, { days: 7, events: 0, sessions: 100 });
  assert.equal((await admin.get(`/api/projects/${id}/error-groups/999999999/sessions`)).status, 404);
});
