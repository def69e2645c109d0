import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { Grouping } from "../../src/shared/error-grouping.ts";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Client } from "../support/client.ts";
import { anEvent, hashOf } from "../support/error-events.ts";
import { makePersonalToken, makeWorkspace, type TestUser } from "../support/make.ts";
import { listGroups, readGroup, traceOf } from "../support/merge.ts";
import { openProject, type TestProject } from "../support/project.ts";
import { openAppOn, openTestApp, type TestApp } from "../support/test-app.ts";

/**
 * Random events, merges, splits and resolutions, through two server processes on one database: each event is counted once,
 * in the group to which its fingerprint belongs. Events are also sent while their groups are merged.
 */

/** Enough for about a hundred steps. A failure prints the seed that reproduces it. */
const TIME_MS = 8_000;

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

const NAMES = ["A", "B", "C", "D"];

type Sent = { name: string; release: string; host: string; user: number };

/** A group is named after its own first fingerprint. */
class GroupModel {
  readonly aliases = new Set<string>();
  count = 0;
  readonly releases = new Map<string, number>();
  readonly hosts = new Map<string, number>();
  readonly users = new Set<number>();

  add({ release, host, user }: Sent) {
    this.count++;
    increase(this.releases, release, 1);
    increase(this.hosts, host, 1);
    this.users.add(user);
  }

  merge(other: GroupModel) {
    this.count += other.count;
    for (const [release, count] of other.releases) increase(this.releases, release, count);
    for (const [host, count] of other.hosts) increase(this.hosts, host, count);
    for (const user of other.users) this.users.add(user);
    for (const name of other.aliases) this.aliases.add(name);
  }
}

const increase = (counts: Map<string, number>, name: string, by: number) =>
  counts.set(name, (counts.get(name) ?? 0) + by);

type Model = Map<string, GroupModel>;
type Real = { project: TestProject; senders: Client[]; ids: Map<string, number> };
type Command = fc.AsyncCommand<Model, Real>;

function count(model: Model, sent: Sent[]) {
  for (const event of sent) {
    const merged = [...model.values()].find(({ aliases }) => aliases.has(event.name));
    const group = merged ?? model.get(event.name) ?? new GroupModel();
    if (!merged) model.set(event.name, group);
    group.add(event);
  }
}

async function send({ project, senders }: Real, sent: Sent[]) {
  const answers = await Promise.all(
    sent.map(({ name, release, host, user }, n) =>
      (senders[n % senders.length] as Client).post(
        project.events,
        anEvent({
          exception_class: name,
          stack_trace: traceOf(name),
          release,
          host,
          user_hash: hashOf(user),
        }),
      ),
    ),
  );
  for (const answer of answers) assert.equal(answer.status, 202, answer.text);
}

const command = (
  name: string,
  check: (model: Readonly<Model>) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check,
  run: async (model, real) => {
    await run(model, real);
    await compare(model, real);
  },
  toString: () => name,
});

const sending = (sent: Sent[]): Command =>
  command(
    `send(${sent.map(({ name }) => name).join("")})`,
    () => true,
    async (model, real) => {
      await send(real, sent);
      count(model, sent);
    },
  );

/** Merges while the events are being sent. */
const merging = (into: string, from: string[], sent: Sent[]): Command =>
  command(
    `merge(${from.join("")} into ${into}, send ${sent.map(({ name }) => name).join("")})`,
    (model) => !from.includes(into) && [into, ...from].every((name) => model.has(name)),
    async (model, real) => {
      const [id, ...error_group_ids] = [into, ...from].map((name) => real.ids.get(name));
      const { admin, groups } = real.project;
      const [answer] = await Promise.all([
        admin.post(`${groups}/${id}/merge`, { error_group_ids }),
        send(real, sent),
      ]);
      assert.equal(answer.status, 200, answer.text);
      count(model, sent);
      const target = model.get(into) as GroupModel;
      for (const name of from) {
        target.merge(model.get(name) as GroupModel);
        target.aliases.add(name);
        model.delete(name);
      }
    },
  );

const splitting = (name: string): Command =>
  command(
    `split(${name})`,
    (model) => [...model.values()].some(({ aliases }) => aliases.has(name)),
    async (model, { project, ids }) => {
      const [owner, group] = [...model].find(([, { aliases }]) => aliases.has(name)) as [string, GroupModel];
      const url = `${project.groups}/${ids.get(owner)}`;
      const { merged } = (await project.admin.get(`${url}/grouping`)).body as Grouping;
      const fingerprints = merged
        .filter((entry) => entry.exception_class === name)
        .map((entry) => entry.fingerprint);
      const answer = await project.admin.post(`${url}/unmerge`, { fingerprints });
      assert.equal(answer.status, 200, answer.text);
      group.aliases.delete(name);
    },
  );

const resolving = (name: string): Command =>
  command(
    `resolve(${name})`,
    (model) => model.has(name),
    async (_, { project, ids }) => {
      assert.equal((await project.admin.post(`${project.groups}/${ids.get(name)}/resolve`)).status, 200);
    },
  );

const sorted = <T>(counts: Iterable<[string, T]>) => [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function compare(model: Model, real: Real) {
  const groups: ErrorGroup[] = [];
  for (const { id } of await listGroups(real.project)) groups.push(await readGroup(real.project, id));
  real.ids.clear();
  for (const { exception_class, id } of groups) real.ids.set(exception_class, id);
  assert.deepEqual(
    sorted(groups.map((group): [string, object] => [group.exception_class, countsOf(group)])),
    sorted(
      [...model].map(([name, { count: total, releases, hosts, users }]): [string, object] => [
        name,
        { total, days: total, releases: sorted(releases), hosts: sorted(hosts), users: users.size },
      ]),
    ),
  );
}

const countsOf = ({ occurrence_count, daily_counts, releases, hosts, affected_users }: ErrorGroup) => ({
  total: occurrence_count,
  days: daily_counts.reduce((sum, one) => sum + one, 0),
  releases: sorted(releases.map((entry): [string, number] => [entry.release ?? "", entry.occurrence_count])),
  hosts: sorted(hosts.map((host): [string, number] => [host.name, host.count])),
  users: affected_users,
});

const name = fc.constantFrom(...NAMES);
const events = fc.array(
  fc.record({
    name,
    release: fc.constantFrom("1.0", "1.1"),
    host: fc.constantFrom("web-1", "web-2"),
    user: fc.nat(4),
  }),
  { minLength: 1, maxLength: 6 },
);
const commands = fc.commands(
  [
    events.map(sending),
    fc.tuple(name, fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), events).map((of) => merging(...of)),
    name.map(splitting),
    name.map(resolving),
  ],
  { maxCommands: 25 },
);

test("random events, merges, splits and resolutions give the counts of a simple model", async () => {
  const senders = [t, second].map(async ({ http }) =>
    http.as(await makePersonalToken(t.db, workspace.admin.id)),
  );
  const clients = await Promise.all(senders);
  let steps = 0;
  const end = performance.now() + TIME_MS;
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      // Interrupting a run would leave its requests in flight after the test, and fail it if it is the first.
      if (performance.now() > end) return;
      const project = await openProject(t, workspace);
      const model: Model = new Map();
      await fc.asyncModelRun(() => ({ model, real: { project, senders: clients, ids: new Map() } }), run);
      steps += [...run].length;
    }),
    { numRuns: 1_000, endOnFailure: true },
  );
  assert.ok(steps > 0);
});
