import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Release } from "../../src/shared/releases.ts";
import type { Client } from "../support/client.ts";
import { anEvent, hashOf } from "../support/error-events.ts";
import { makePersonalToken, makeWorkspace, type TestUser } from "../support/make.ts";
import { openProject, type TestProject } from "../support/project.ts";
import { openAppOn, openTestApp, type TestApp } from "../support/test-app.ts";

/** Counts equal the acknowledged events, with two server processes on one database. */

let t: TestApp;
let second: TestApp;
let workspace: { id: number; admin: TestUser };
before(async () => {
  t = await openTestApp();
  second = await openAppOn(t.database.url);
  workspace = await makeWorkspace(t.db);
});
after(async () => {
  await second.close();
  await t.close();
});

const EVENTS = 800;
const SENDERS = 40;
const ENVIRONMENTS = ["production", "staging"];
const CLASSES = ["Timeout", "NotFound", "Refused"];

/** The expected counts of one group. */
type Tally = { count: number; releases: Map<string, number>; hosts: Map<string, number>; users: Set<number> };

/** Spreads events over everything that is counted, so that every combination occurs and many repeat. */
function numbered(n: number) {
  return {
    project: n % 3,
    environment: ENVIRONMENTS[n % 2] as string,
    exception_class: CLASSES[(n >> 1) % 3] as string,
    release: [null, "1.0", "1.1", "2.0"][(n >> 2) % 4] as string | null,
    host: `web-${(n * 7) % 8}`,
    user: (n * 31) % 23,
  };
}

/** Puts the same number into each of the latest fields, to check that they come from the same event. */
function eventOf(n: number) {
  const { environment, exception_class, release, host, user } = numbered(n);
  return anEvent({
    environment,
    exception_class,
    release,
    host,
    user_hash: hashOf(user),
    message: `event ${n}`,
    exception_code: String(n),
    memory_peak_bytes: n,
    runtime: { name: `runtime ${n}`, version: null },
    context: { kind: "command", name: `command ${n}` },
    previous_exceptions: [{ exception_class: "P", message: `event ${n}`, stack_trace: "" }],
  });
}

const keyOf = (group: { project: number; environment: string; exception_class: string }) =>
  `${group.project} ${group.environment} ${group.exception_class}`;

async function readAll(projects: TestProject[]): Promise<Map<string, ErrorGroup>> {
  const groups = new Map<string, ErrorGroup>();
  for (const [project, { admin, groups: url }] of projects.entries()) {
    const { data } = (await admin.get(url)).body as { data: ErrorGroup[] };
    for (const { id } of data) {
      const group = (await admin.get(`${url}/${id}`)).body as ErrorGroup;
      groups.set(keyOf({ ...group, project }), group);
    }
  }
  return groups;
}

/** Sends all events concurrently through both processes, and counts the acknowledged ones. */
async function sendAll(projects: TestProject[], senders: Client[], halfway: () => Promise<void>) {
  const tallies = new Map<string, Tally>();
  const next = { n: 0 };
  const half: Promise<void>[] = [];
  const sender = async (http: Client) => {
    for (let n = next.n++; n < EVENTS; n = next.n++) {
      if (n === EVENTS / 2) half.push(halfway());
      const of = numbered(n);
      const answer = await http.post((projects[of.project] as TestProject).events, eventOf(n));
      assert.equal(answer.status, 202, answer.text);
      const key = keyOf(of);
      const tally = tallies.get(key) ?? { count: 0, releases: new Map(), hosts: new Map(), users: new Set() };
      tallies.set(key, tally);
      tally.count++;
      if (of.release !== null) tally.releases.set(of.release, (tally.releases.get(of.release) ?? 0) + 1);
      tally.hosts.set(of.host, (tally.hosts.get(of.host) ?? 0) + 1);
      tally.users.add(of.user);
    }
  };
  await Promise.all(senders.map(sender));
  await Promise.all(half);
  return tallies;
}

/** Checks what must hold between two reads of the same group while events arrive. */
function mayFollow(earlier: ErrorGroup, later: ErrorGroup) {
  assert.deepEqual(
    [later.id, later.first_seen_at, later.created_at, later.release],
    [earlier.id, earlier.first_seen_at, earlier.created_at, earlier.release],
  );
  assert.ok(later.last_seen_at >= earlier.last_seen_at);
  assert.ok(later.occurrence_count >= earlier.occurrence_count);
  assert.ok(later.reopen_count >= earlier.reopen_count);
}

/** Checks that all latest fields come from one event of the group. */
function comesFromOneEvent(group: ErrorGroup, project: number) {
  const n = Number(group.exception_code);
  const { release, ...of } = numbered(n);
  assert.equal(keyOf(of), keyOf({ ...group, project }));
  const { latest_message, memory_peak_bytes, runtime, context_label, previous_exceptions, last_release } =
    group;
  assert.deepEqual(
    { latest_message, memory_peak_bytes, runtime, context_label, previous_exceptions, last_release },
    {
      latest_message: `event ${n}`,
      memory_peak_bytes: n,
      runtime: { name: `runtime ${n}`, version: null },
      context_label: `command ${n}`,
      previous_exceptions: [{ exception_class: "P", message: `event ${n}`, stack_trace: "" }],
      last_release: release,
    },
  );
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, one) => total + one, 0);

test("concurrent events of many groups on two processes are counted exactly, even if groups are resolved meanwhile", async () => {
  const projects: TestProject[] = [];
  for (let n = 0; n < 3; n++) projects.push(await openProject(t, workspace));
  const senders: Client[] = [];
  for (let n = 0; n < SENDERS; n++)
    senders.push((n % 2 ? t : second).http.as(await makePersonalToken(t.db, workspace.admin.id)));

  const midway = new Map<string, ErrorGroup>();
  const resolved: number[] = [];
  const tallies = await sendAll(projects, senders, async () => {
    for (const [key, group] of await readAll(projects)) midway.set(key, group);
    const error_group_ids = [...midway.values()].map((group) => group.id);
    const body = { error_group_ids, status: 1 };
    const answer = await (projects[0] as TestProject).admin.post("/api/error-groups/bulk-status", body);
    assert.equal(answer.status, 200, answer.text);
    resolved.push(...answer.body.data.map((group: ErrorGroup) => group.id));
  });

  const groups = await readAll(projects);
  assert.deepEqual([...groups.keys()].sort(), [...tallies.keys()].sort());
  assert.equal(sum([...groups.values()].map((group) => group.occurrence_count)), EVENTS);
  assert.ok(resolved.length > 0);
  for (const [key, group] of groups) {
    const tally = tallies.get(key) as Tally;
    assert.equal(group.occurrence_count, tally.count, key);
    assert.equal(sum(group.daily_counts), tally.count, key);
    const releases = new Map(group.releases.map((entry) => [entry.release, entry.occurrence_count]));
    assert.deepEqual(releases, tally.releases, key);
    assert.deepEqual(new Map(group.hosts.map((host) => [host.name, host.count])), tally.hosts, key);
    assert.equal(group.affected_users, tally.users.size, key);
    comesFromOneEvent(group, Number(key.split(" ", 1)[0]));
    const earlier = midway.get(key);
    if (earlier) mayFollow(earlier, group);
    // Each group was resolved once, so it has regressed at most once, and is then Open.
    const regressed = group.status === 0 && group.regressed_at !== null;
    assert.equal(group.reopen_count, regressed ? 1 : 0, key);
    if (!resolved.includes(group.id)) assert.equal(group.status, 0, key);
  }
  for (const [n, project] of projects.entries()) await checkReleases(project, n, groups);
});

/** Checks that the counts of the project's releases are the sums over its groups. */
async function checkReleases({ id, admin }: TestProject, n: number, groups: Map<string, ErrorGroup>) {
  const own = [...groups].filter(([key]) => key.startsWith(`${n} `)).map(([, group]) => group);
  const { data } = (await admin.get(`/api/projects/${id}/releases`)).body as { data: Release[] };
  assert.deepEqual(data.map((release) => release.version).toSorted(), ["1.0", "1.1", "2.0"]);
  for (const { version, events, new_groups } of data) {
    const entries = own.flatMap((group) => group.releases).filter(({ release }) => release === version);
    assert.equal(events, sum(entries.map((entry) => entry.occurrence_count)), version);
    assert.equal(new_groups, own.filter((group) => group.release === version).length, version);
  }
}

test("the same first event sent 50 times concurrently to two processes creates one group with 50 occurrences", async () => {
  for (let round = 0; round < 5; round++) {
    const project = await openProject(t, workspace);
    const elsewhere = second.http.as(await makePersonalToken(t.db, workspace.admin.id));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? project.sender : elsewhere).post(
          project.events,
          anEvent({ user_hash: hashOf(n % 5), host: "h" }),
        ),
      ),
    );
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]));
    const group = await project.only();
    assert.deepEqual(
      [group.occurrence_count, group.daily_counts.at(-1), group.affected_users, group.hosts],
      [50, 50, 5, [{ name: "h", count: 50 }]],
    );
  }
});

test("events of the resolved release that race with the resolution on two processes do not regress the group", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1" });
  const elsewhere = second.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const changes = [
    ...Array.from({ length: 20 }, () => elsewhere.post(project.events, anEvent({ release: "1" }))),
    project.admin.post(`${project.groups}/${id}/resolve`),
    ...Array.from({ length: 20 }, () => project.sender.post(project.events, anEvent({ release: "1" }))),
  ];
  for (const answer of await Promise.all(changes)) assert.ok(answer.status < 300, answer.text);
  const group = await project.only();
  assert.deepEqual([group.status, group.reopen_count, group.occurrence_count], [1, 0, 41]);
});

test("batches of the same groups in opposite orders on two processes do not deadlock", async () => {
  const project = await openProject(t, workspace);
  const elsewhere = second.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const classes = Array.from({ length: 40 }, (_, n) => `Error${n}`);
  const post = (http: Client) => (exception_class: string) =>
    http.post(project.events, anEvent({ exception_class, host: "h" }));
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all([
      ...classes.map(post(project.sender)),
      ...classes.toReversed().map(post(elsewhere)),
    ]);
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]), `round ${round}`);
  }
  const { data } = (await project.admin.get(project.groups)).body as { data: ErrorGroup[] };
  assert.deepEqual(new Set(data.map((group) => group.occurrence_count)), new Set([40]));
  assert.equal(data.length, classes.length);
});
