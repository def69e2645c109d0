import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  IGNORED,
  OPEN,
  RESOLVED,
  type ErrorGroup,
  type ErrorGroupStatus,
} from "../../src/shared/error-groups.ts";
import type { Client } from "../support/client.ts";
import { TRACES } from "../support/error-events.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../support/make.ts";
import { openProject, type TestProject } from "../support/project.ts";
import { useTestApp } from "../support/test-app.ts";
import { GroupModel, VERBS } from "./status-model.ts";

/** Enough for about a thousand steps. A failure prints the seed that reproduces it. */
const TIME_MS = 12_000;

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type Model = GroupModel[];
type Person = { id: number; http: Client };
type Real = { project: TestProject; people: Person[] };

const PLACES = [TRACES.checkout, TRACES.search];

class SendEvent implements fc.AsyncCommand<Model, Real> {
  readonly group: number;
  readonly release: string | null;
  constructor(group: number, release: string | null) {
    this.group = group;
    this.release = release;
  }
  check = () => true;
  async run(model: Model, real: Real) {
    await real.project.send({ stack_trace: PLACES[this.group], release: this.release });
    for (const [n, group] of model.entries()) {
      if (n === this.group) group.event(this.release);
      else group.rest();
    }
    await checkAll(model, real);
  }
  toString = () => `event(${this.group}, ${this.release})`;
}

class SetOne implements fc.AsyncCommand<Model, Real> {
  readonly group: number;
  readonly status: ErrorGroupStatus;
  readonly by: number;
  constructor(group: number, status: ErrorGroupStatus, by: number) {
    this.group = group;
    this.status = status;
    this.by = by;
  }
  check = (model: Readonly<Model>) => model[this.group]?.exists === true;
  async run(model: Model, real: Real) {
    const { id, http } = real.people[this.by] as Person;
    const group = model[this.group] as GroupModel;
    const answer = await http.post(`${real.project.groups}/${group.seen?.id}/${VERBS[this.status]}`);
    assert.equal(answer.status, 200, answer.text);
    for (const each of model) {
      if (each === group) group.set(this.status, id);
      else each.rest();
    }
    const groups = await checkAll(model, real);
    assert.deepEqual(answer.body, groups[this.group], "the answer is the full resource");
  }
  toString = () => `${VERBS[this.status]}(${this.group}, by ${this.by})`;
}

class SetMany implements fc.AsyncCommand<Model, Real> {
  readonly groups: number[];
  readonly status: ErrorGroupStatus;
  readonly by: number;
  constructor(groups: number[], status: ErrorGroupStatus, by: number) {
    this.groups = groups;
    this.status = status;
    this.by = by;
  }
  check = (model: Readonly<Model>) => this.groups.every((n) => model[n]?.exists === true);
  async run(model: Model, real: Real) {
    const { id, http } = real.people[this.by] as Person;
    const error_group_ids = this.groups.map((n) => model[n]?.seen?.id);
    const answer = await http.post("/api/error-groups/bulk-status", { error_group_ids, status: this.status });
    assert.equal(answer.status, 200, answer.text);
    for (const [n, group] of model.entries()) {
      if (this.groups.includes(n)) group.set(this.status, id);
      else group.rest();
    }
    const now = await checkAll(model, real);
    assert.deepEqual(answer.body.refused_ids, []);
    for (const item of answer.body.data as ErrorGroup[]) {
      const whole = now.find((group) => group?.id === item.id);
      assert.deepEqual(
        [item.status, item.resolved_at, item.regressed_at, item.updated_at],
        [whole?.status, whole?.resolved_at, whole?.regressed_at, whole?.updated_at],
      );
    }
    assert.equal(answer.body.data.length, this.groups.length);
  }
  toString = () => `bulk(${VERBS[this.status]} ${this.groups.join("+")}, by ${this.by})`;
}

/** Reads every existing group as the full resource and compares it with its model. */
async function checkAll(model: Model, { project }: Real): Promise<(ErrorGroup | undefined)[]> {
  const list = await project.admin.get(project.groups);
  const all = await Promise.all(
    (list.body.data as ErrorGroup[]).map((item) => project.admin.get(`${project.groups}/${item.id}`)),
  );
  assert.equal(all.length, model.filter((group) => group.exists).length);
  return model.map((group, n) => {
    if (!group.exists) return undefined;
    const now = all.find((answer) => answer.body.latest_stack_trace === PLACES[n])?.body as ErrorGroup;
    group.check(now);
    return now;
  });
}

const group = fc.nat({ max: PLACES.length - 1 });
const by = fc.nat({ max: 1 });
const status = fc.constantFrom<ErrorGroupStatus>(OPEN, RESOLVED, IGNORED);
const release = fc.constantFrom("A", "B", null);

const commands = fc.commands(
  [
    fc.tuple(group, release).map(([n, of]) => new SendEvent(n, of)),
    fc.tuple(group, release).map(([n, of]) => new SendEvent(n, of)),
    fc.tuple(group, status, by).map(([n, to, who]) => new SetOne(n, to, who)),
    fc
      .tuple(fc.uniqueArray(group, { minLength: 1 }), status, by)
      .map(([some, to, who]) => new SetMany(some, to, who)),
  ],
  { maxCommands: 40, size: "max" },
);

test("after any sequence of events and status changes, two groups equal their models", async () => {
  const end = performance.now() + TIME_MS;
  await fc.assert(
    fc.asyncProperty(commands, async (plan) => {
      // Interrupting a run would leave its requests in flight after the test, and fail it if it is the first.
      if (performance.now() > end) return;
      const project = await openProject(t, workspace);
      const member = await makeMember(t.db, project.id);
      const people: Person[] = [
        { id: workspace.admin.id, http: project.admin },
        { id: member.id, http: t.http.as(await makePersonalToken(t.db, member.id)) },
      ];
      const setup = () => ({ model: PLACES.map(() => new GroupModel()), real: { project, people } });
      await fc.asyncModelRun(setup, plan);
    }),
    { numRuns: 40, endOnFailure: false },
  );
});
