import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseHealth, ReleaseHealthPoint } from "../../src/shared/release-health.ts";
import { makeIngestKey, makeWorkspace } from "../support/make.ts";
import { openProject } from "../support/project.ts";
import { envelope } from "../support/sentry.ts";
import { openAppOn, useTestApp, type TestApp } from "../support/test-app.ts";

/** Counts equal the sent sessions, whose updates go to several server processes on one database. */

const t = await useTestApp();

const SESSIONS = 600;
const AGGREGATES = 100;
const SENDERS = 20;
const USERS = 40;
const RELEASES = ["1.0.0", "1.1.0", "2.0.0"];
const ENVIRONMENTS = ["production", "staging"];
const HOUR = 3_600_000;

/** Numbers below `max` that look random and are the same in every run. */
function randomNumbers(seed: number) {
  let state = seed;
  return (max: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

const below = randomNumbers(7);
const oneOf = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;

type Tally = { sessions: number; errored: number; crashed: number; abnormal: number };
type Item = { type: "session" | "sessions"; payload: object; to: number };

const tallies = new Map<string, Tally>();
const users = new Map<string, Set<string>>();
const now = Date.now();

function tally(release: string, environment: string): Tally {
  const key = `${release} ${environment}`;
  const known = tallies.get(key);
  if (known) return known;
  const created = { sessions: 0, errored: 0, crashed: 0, abnormal: 0 };
  tallies.set(key, created);
  users.set(key, new Set());
  return created;
}

/** What happens to a random session: its updates, each to one of the servers, some of them twice. */
function randomSession(n: number): Item[] {
  const [release, environment] = [oneOf(RELEASES), oneOf(ENVIRONMENTS)];
  const did = below(3) === 0 ? undefined : `user ${below(USERS)}`;
  const final = oneOf(["exited", "exited", "exited", "crashed", "abnormal", undefined]);
  const errors = oneOf([0, 0, 1, 3]);
  const counts = tally(release, environment);
  counts.sessions++;
  if (final === "crashed") counts.crashed++;
  else if (final === "abnormal") counts.abnormal++;
  else if (errors > 0) counts.errored++;
  if (did !== undefined) users.get(`${release} ${environment}`)?.add(did);
  const started = new Date(now - below(48) * HOUR).toISOString();
  const states = [
    { init: true, status: "ok", errors: 0 },
    ...Array.from({ length: errors }, (_, at) => ({ status: "ok", errors: at + 1 })),
    ...(final === undefined ? [] : [{ status: final, errors }]),
  ];
  return states.flatMap((state, seq) => {
    const payload = { sid: `session-${n}`, did, started, seq, attrs: { release, environment }, ...state };
    const item: Item = { type: "session", payload, to: below(2) };
    return below(4) === 0 ? [item, item] : [item];
  });
}

function randomAggregate(): Item {
  const [release, environment] = [oneOf(RELEASES), oneOf(ENVIRONMENTS)];
  const counts = tally(release, environment);
  const aggregates = Array.from({ length: 1 + below(3) }, () => {
    const [exited, errored, crashed, abnormal] = [below(50), below(5), below(3), below(2)];
    counts.sessions += exited + errored + crashed + abnormal;
    counts.errored += errored;
    counts.crashed += crashed;
    counts.abnormal += abnormal;
    return { started: new Date(now - below(48) * HOUR).toISOString(), exited, errored, crashed, abnormal };
  });
  return { type: "sessions", payload: { attrs: { release, environment }, aggregates }, to: below(2) };
}

function shuffle(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

test("two servers, one of which is replaced, count every session once", async () => {
  const project = await openProject(t, await makeWorkspace(t.db));
  const key = await makeIngestKey(t.db, project.id);
  const url = `/api/${project.id}/envelope/?sentry_key=${key}`;
  const sendAll = async (items: Item[], servers: TestApp[]) => {
    const waiting = [...items];
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (let item = waiting.pop(); item; item = waiting.pop()) {
          const { type, payload, to } = item;
          const body = envelope([{ header: { type }, payload: JSON.stringify(payload) }]);
          const send = () => (servers[to] as TestApp).http.send({ method: "POST", url, payload: body });
          let answer = await send();
          // A busy machine may be too slow to look up the key.
          while (answer.status === 503) answer = await send();
          assert.equal(answer.status, 200, answer.text);
        }
      }),
    );
  };
  const sessions = Array.from({ length: SESSIONS }, (_, n) => randomSession(n));
  const early = shuffle([
    ...sessions.slice(SESSIONS / 2).flat(),
    ...sessions.flatMap(([first]) => first ?? []),
  ]);
  const late = shuffle([
    ...sessions
      .slice(0, SESSIONS / 2)
      .flatMap(([first, ...others]) => others.filter((item) => item !== first)),
    ...Array.from({ length: AGGREGATES }, randomAggregate),
  ]);
  const [first, second] = await Promise.all([openAppOn(t.database.url), openAppOn(t.database.url)]);
  await sendAll(early, [first, second]);
  // Servers write what they have counted when they stop.
  await second.close();
  const third = await openAppOn(t.database.url);
  await sendAll(late, [first, third]);
  await Promise.all([first.close(), third.close()]);

  for (const [place, expected] of tallies) {
    const [version, environment] = place.split(" ") as [string, string];
    const release = `/api/projects/${project.id}/releases/${version}`;
    const { health } = (await project.admin.get(`${release}?environment=${environment}`)).body as {
      health: ReleaseHealth;
    };
    const { sessions: count, errored, crashed, abnormal } = health;
    assert.deepEqual({ sessions: count, errored, crashed, abnormal }, expected, place);
    assert.deepEqual([health.users, health.users_exact], [users.get(place)?.size, true], place);
    for (const interval of ["hour", "day"]) {
      const query = `interval=${interval}&days=4&environment=${environment}`;
      const { data } = (await project.admin.get(`${release}/health?${query}`)).body as {
        data: ReleaseHealthPoint[];
      };
      const sum = (field: keyof Tally) => data.reduce((total, point) => total + point[field], 0);
      assert.equal(sum("sessions"), expected.sessions, `${place} per ${interval}`);
      assert.equal(sum("crashed"), expected.crashed, `${place} per ${interval}`);
    }
  }
});
