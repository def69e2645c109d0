import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { combineOpenCounts } from "../../src/server/home/combine-open-counts.ts";
import { endDueSnoozes } from "../../src/server/errors/groups/end-snoozes.ts";
import { deleteExpired } from "../../src/server/errors/retention/delete-expired.ts";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import { openBoard, type Board } from "../support/board.ts";
import { checkOpenCounts } from "../support/check-open-counts.ts";
import type { Answer, Client } from "../support/client.ts";
import { anEvent } from "../support/error-events.ts";
import { makePersonalToken, makeWorkspace } from "../support/make.ts";
import { traceOf } from "../support/merge.ts";
import { openAppOn, openTestApp, type TestApp } from "../support/test-app.ts";

/**
 * Random actions, several at a time, through two server processes on one database: the numbers of open errors and issues are those of
 * the lists after each round, and equal the tables in every snapshot meanwhile.
 */

/** Enough for about a hundred rounds. A failure prints the seed that reproduces it. */
const TIME_MS = 8_000;

let t: TestApp;
let second: TestApp;
before(async () => {
  t = await openTestApp();
  second = await openAppOn(t.database.url);
});
after(async () => {
  await second.close();
  await t.close();
});

type State = { board: Board; client: Client; groups: ErrorGroup[]; issues: number[] };
type Action = { name: string; run: (state: State) => Promise<Answer[]> };

const at = <T>(list: T[], n: number): T[] => (list.length === 0 ? [] : [list[n % list.length] as T]);
const several = <T>(list: T[], numbers: number[]): T[] => [...new Set(numbers.flatMap((n) => at(list, n)))];

const place = fc.nat(5);
const places = fc.array(place, { minLength: 1, maxLength: 4 });

const send = fc.tuple(places, fc.constantFrom("1.0", "1.1")).map(([numbers, release]): Action => ({
  name: `send ${numbers.join(", ")} of ${release}`,
  run: ({ board, client }) =>
    Promise.all(
      numbers.map((n) =>
        client.post(`${board.url}/error-events`, anEvent({ stack_trace: traceOf(`P${n}`), release })),
      ),
    ),
}));

const setStatus = fc
  .tuple(
    place,
    fc.constantFrom(
      ["resolve", undefined],
      ["reopen", undefined],
      ["ignore", undefined],
      ["ignore", { until: { occurrences: 1 } }],
    ),
  )
  .map(([n, [verb, body]]): Action => ({
    name: `${verb as string} ${n} ${JSON.stringify(body ?? {})}`,
    run: ({ board, client, groups }) =>
      Promise.all(
        at(groups, n).map(({ id }) => client.post(`${board.url}/error-groups/${id}/${verb as string}`, body)),
      ),
  }));

const setMany = fc.tuple(places, fc.constantFrom(0, 1, 2)).map(([numbers, status]): Action => ({
  name: `set ${numbers.join(", ")} to ${status}`,
  run: async ({ client, groups }) => {
    const error_group_ids = several(groups, numbers).map(({ id }) => id);
    if (error_group_ids.length === 0) return [];
    return [await client.post("/api/error-groups/bulk-status", { error_group_ids, status })];
  },
}));

const merge = fc.tuple(place, place).map(([into, from]): Action => ({
  name: `merge ${from} into ${into}`,
  run: async ({ board, client, groups }) => {
    const [target, source] = [at(groups, into)[0], at(groups, from)[0]];
    if (!target || !source || target.id === source.id) return [];
    const url = `${board.url}/error-groups/${target.id}/merge`;
    return [await client.post(url, { error_group_ids: [source.id] })];
  },
}));

const split = place.map((n): Action => ({
  name: `split ${n}`,
  run: async ({ board, client, groups }) => {
    const [group] = at(groups, n);
    if (!group) return [];
    const url = `${board.url}/error-groups/${group.id}`;
    const { status, body } = await client.get(`${url}/grouping`);
    const fingerprints = (status === 200 ? body.merged : []).map(
      (entry: { fingerprint: string }) => entry.fingerprint,
    );
    return fingerprints.length === 0 ? [] : [await client.post(`${url}/unmerge`, { fingerprints })];
  },
}));

/** Ends a snooze at its time. */
const wake = place.map((n): Action => ({
  name: `wake ${n}`,
  run: async ({ groups }) => {
    for (const { id } of at(groups, n))
      await sql`update error_groups set snooze_ends_at = now() where id = ${id} and status = 2`.execute(t.db);
    await endDueSnoozes(t.db);
    return [];
  },
}));

const expire = place.map((n): Action => ({
  name: `expire ${n}`,
  run: async ({ groups }) => {
    for (const { id } of at(groups, n))
      await sql`update error_groups set last_seen_at = now() - interval '91 days' where id = ${id}`.execute(
        t.db,
      );
    await deleteExpired(t.database.pool, 90, undefined);
    return [];
  },
}));

const create = fc.boolean().map((isClosed): Action => ({
  name: `create ${isClosed ? "a closed" : "an open"} issue`,
  run: async ({ board, client }) => [
    await client.post(board.issues, {
      title: "New",
      lane_id: isClosed ? board.lanes.done : board.lanes.todo,
    }),
  ],
}));

const move = fc.tuple(place, fc.constantFrom("todo", "done")).map(([n, lane]): Action => ({
  name: `move issue ${n} to ${lane}`,
  run: ({ board, client, issues }) =>
    Promise.all(
      at(issues, n).map((id) => client.patch(`${board.issues}/${id}`, { lane_id: board.lanes[lane] })),
    ),
}));

const remove = place.map((n): Action => ({
  name: `delete issue ${n}`,
  run: ({ board, client, issues }) =>
    Promise.all(at(issues, n).map((id) => client.delete(`${board.issues}/${id}`))),
}));

const combine = fc.constant<Action>({
  name: "combine",
  run: async () => {
    await combineOpenCounts(t.db);
    return [];
  },
});

const rounds = fc.array(
  fc.array(
    fc.oneof(send, send, setStatus, setMany, merge, split, wake, expire, create, move, remove, combine),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  { minLength: 5, maxLength: 15, size: "max" },
);

/** Reads what the lists show, after comparing it with the counts. */
async function readState(board: Board): Promise<Omit<State, "client">> {
  await checkOpenCounts(t.db);
  const { admin, url } = board;
  const groups: ErrorGroup[] = (await admin.get(`${url}/error-groups`)).body.data;
  const issues: { id: number; closed_at: string | null }[] = (await admin.get(`${board.issues}?limit=200`))
    .body.data;
  const open = groups.filter(({ status }) => status === 0);
  const regressed = open.filter(({ regressed_at }) => regressed_at !== null);
  const counts = (await admin.get(`${url}/counts`)).body;
  assert.deepEqual([counts.open_errors, counts.regressed_errors], [open.length, regressed.length]);
  const { projects } = (await admin.get("/api/home")).body;
  const [{ open_errors, regressed_errors, open_issues }] = projects;
  assert.deepEqual(
    [open_errors, regressed_errors, open_issues],
    [open.length, regressed.length, issues.filter(({ closed_at }) => closed_at === null).length],
  );
  return { board, groups, issues: issues.map((issue) => issue.id) };
}

test("after each round of random actions, and in every snapshot meanwhile, the counts are exact", async () => {
  let actions = 0;
  const end = performance.now() + TIME_MS;
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      // Interrupting a run would leave its requests in flight after the test.
      if (performance.now() > end) return;
      const workspace = await makeWorkspace(t.db);
      const board = await openBoard(t, workspace);
      const clients = await Promise.all(
        [t, second].map(async ({ http }) => http.as(await makePersonalToken(t.db, workspace.admin.id))),
      );
      let state = await readState(board);
      for (const round of all) {
        const running = { yes: true };
        const checks = (async () => {
          while (running.yes) await checkOpenCounts(t.db);
        })();
        const answers = await Promise.all(
          round.map(({ run }, n) => run({ ...state, client: clients[n % 2] as Client })),
        );
        running.yes = false;
        await checks;
        for (const { status, text } of answers.flat()) assert.ok(status < 500, text);
        actions += round.length;
        state = await readState(board);
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  assert.ok(actions > 0);
});
