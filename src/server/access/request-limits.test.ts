import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { FastifyReply, FastifyRequest } from "fastify";
import pg from "pg";
import type { Answer } from "../../../test/support/client.ts";
import { anEvent } from "../../../test/support/error-events.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
} from "../../../test/support/make.ts";
import { openAppOn, openTestApp, type TestApp } from "../../../test/support/test-app.ts";
import type { HttpError } from "../answers/errors.ts";
import { RequestSlots } from "./request-limits.ts";
import { makeToken } from "./tokens.ts";

async function withApp(settings: Record<string, string>, run: (t: TestApp) => Promise<void>) {
  const t = await openTestApp(settings);
  try {
    await run(t);
  } finally {
    await t.close();
  }
}

const remaining = (answer: Answer) => Number(answer.headers["x-ratelimit-remaining"]);

test("every response carries the limit and what remains of it, and 429 carries Retry-After", () =>
  withApp({ LIMIT_API: "5" }, async (t) => {
    const client = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
    const answers = [
      await client.get("/api/profile"),
      await client.get("/api/projects/999999"),
      await client.post("/api/projects", {}),
      await client.get("/api/profile/tokens"),
      await client.send({ method: "HEAD", url: "/api/profile" }),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 404, 422, 403, 200],
    );
    for (const answer of answers) assert.equal(String(answer.headers["x-ratelimit-limit"]), "5");
    assert.deepEqual(answers.map(remaining), [4, 3, 2, 1, 0]);
    const refused = await client.get("/api/profile");
    assert.equal(refused.status, 429);
    assert.equal(remaining(refused), 0);
    assert.match(String(refused.headers["retry-after"]), /^[1-9][0-9]?$/);
    assert.deepEqual(Object.keys(refused.body), ["message"]);
  }));

test("a limit counts by credential, regardless of the spelling of the path, the query and headers", () =>
  withApp({ LIMIT_API: "3" }, async (t) => {
    const user = await makeUser(t.db);
    const client = t.http.as(await makePersonalToken(t.db, user.id));
    const other = t.http.as(await makePersonalToken(t.db, user.id));
    for (const [n, url] of ["/api/profile", "/api/profile?x=1", "/api/pr%6Ffile"].entries()) {
      const answer = await client.send({ method: "GET", url, headers: { "x-forwarded-for": `10.0.0.${n}` } });
      assert.equal(answer.status, 200, url);
    }
    const again = await client.send({
      method: "GET",
      url: "/api/profile?y",
      headers: { "x-forwarded-for": "10.1.1.1" },
    });
    assert.equal(again.status, 429);
    assert.equal((await other.get("/api/profile")).status, 200);
    const browser = t.http.withCookie(await makeCookie(t.db, user.id));
    assert.equal((await browser.get("/api/profile")).status, 200);
  }));

test("sessions and tokens have separate limits", () =>
  withApp({ LIMIT_API: "1", LIMIT_SESSION: "3" }, async (t) => {
    const user = await makeUser(t.db);
    const browser = t.http.withCookie(await makeCookie(t.db, user.id));
    const token = t.http.as(await makePersonalToken(t.db, user.id));
    const answers: Answer[] = [];
    for (const client of [browser, browser, browser, browser, token, token])
      answers.push(await client.get("/api/profile"));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, String(headers["x-ratelimit-limit"])]),
      [
        [200, "3"],
        [200, "3"],
        [200, "3"],
        [429, "3"],
        [200, "1"],
        [429, "1"],
      ],
    );
    const other = t.http.withCookie(await makeCookie(t.db, user.id));
    assert.equal((await other.get("/api/profile")).status, 200);
  }));

test("profile pictures count toward no limit, except requests with invalid credentials", () =>
  withApp({ LIMIT_API: "1", LIMIT_SESSION: "1" }, async (t) => {
    const user = await makeUser(t.db);
    const url = `/api/users/${user.id}/picture/none-96.webp`;
    const browser = t.http.withCookie(await makeCookie(t.db, user.id));
    const token = t.http.as(await makePersonalToken(t.db, user.id));
    for (const client of [browser, token]) {
      for (let n = 0; n < 3; n++) {
        const answer = await client.get(url);
        assert.deepEqual([answer.status, answer.headers["x-ratelimit-limit"]], [404, undefined]);
      }
      assert.equal((await client.get("/api/profile")).status, 200);
    }
    const stranger = t.http.as(makeToken("pat").token);
    assert.deepEqual([(await stranger.get(url)).status, (await stranger.get(url)).status], [401, 429]);
  }));

test("a token may have hundreds of error events in flight while its other requests stay limited", () =>
  withApp({}, async (t) => {
    const { id, admin } = await makeWorkspace(t.db);
    const project = await makeProject(t.db, id);
    await makeMember(t.db, project.id, { user: admin });
    const token = t.http.as(await makeProjectToken(t.db, project.id, admin.id));
    const { query } = pg.Client.prototype;
    let lookups = 0;
    pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
      if (/from "project_tokens"/.test(String(args[0]))) lookups++;
      return Reflect.apply(query, this, args);
    } as typeof query;
    try {
      const events = Array.from({ length: 300 }, () =>
        token.post(`/api/projects/${project.id}/error-events`, anEvent()),
      );
      const statuses = new Set((await Promise.all(events)).map((answer) => answer.status));
      assert.deepEqual([...statuses], [202]);
    } finally {
      pg.Client.prototype.query = query;
    }
    assert.ok(lookups > 0 && lookups < 10, `${lookups} lookups of the token`);
  }));

test("most error events cost one statement, and a process that stops returns its unused permits", () =>
  withApp({}, async (t) => {
    const { id, admin } = await makeWorkspace(t.db);
    const project = await makeProject(t.db, id);
    await makeMember(t.db, project.id, { user: admin });
    const app = await openAppOn(t.database.url, { LIMIT_INGEST: "1000" });
    const token = app.http.as(await makeProjectToken(t.db, project.id, admin.id));
    const { query } = pg.Client.prototype;
    const statements: string[] = [];
    pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
      const [config] = args as [{ name?: string }];
      if (config.name !== undefined) statements.push(config.name);
      return Reflect.apply(query, this, args);
    } as typeof query;
    try {
      for (let n = 0; n < 100; n++) {
        const answer = await token.post(`/api/projects/${project.id}/error-events`, anEvent());
        assert.deepEqual([answer.status, remaining(answer)], [202, 999 - n]);
      }
    } finally {
      pg.Client.prototype.query = query;
      await app.close();
    }
    const count = (name: string) => statements.filter((one) => one.startsWith(name)).length;
    // The first event needs a second statement, because its group does not exist.
    assert.equal(count("store-event"), 101);
    assert.ok(count("take-permits") < 50, `${count("take-permits")} statements for permits`);
    const { rows } = await t.database.pool.query(
      "select (select sum(c)::int from unnest(counts) c) as sum from rate_limits where key like 'ingest:%'",
    );
    assert.deepEqual(rows, [{ sum: 100 }]);
  }));

test("error events in flight are limited to 1,000 for each credential and 5,000 in total", () => {
  const slots = new RequestSlots();
  const event = { routeOptions: { config: { limit: "ingest" } } } as FastifyRequest;
  const other = { routeOptions: { config: {} } } as FastifyRequest;
  const open: EventEmitter[] = [];
  const take = (request: FastifyRequest, key: string) => {
    const raw = new EventEmitter();
    slots.take(request, { raw } as unknown as FastifyReply, key);
    open.push(raw);
  };
  const isOverloaded = ({ status, headers }: HttpError) => status === 503 && headers["retry-after"] === "1";
  for (let n = 0; n < 1_000; n++) take(event, "one");
  assert.throws(() => take(event, "one"), isOverloaded);
  take(other, "one");
  for (const key of ["two", "three", "four", "five"]) for (let n = 0; n < 1_000; n++) take(event, key);
  assert.throws(() => take(event, "six"), isOverloaded);
  take(other, "six");
  for (const raw of open.splice(0)) raw.emit("close");
  take(event, "six");
  take(event, "one");
});

test("requests without a credential are limited by IP address, and monitoring endpoints not at all", () =>
  withApp({ LIMIT_API: "2" }, async (t) => {
    const user = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
    assert.equal((await t.http.get("/api/setup")).status, 200);
    assert.equal((await t.http.get("/api/invitations/unknown")).status, 404);
    assert.equal((await t.http.get("/api/setup")).status, 429);
    assert.equal((await user.get("/api/profile")).status, 200);
    for (let n = 0; n < 5; n++) {
      const health = await t.http.get("/api/health");
      assert.equal(health.status, 200);
      assert.equal(health.headers["x-ratelimit-limit"], undefined);
    }
  }));

test("ingestion, sign-in and other requests count separately", () =>
  withApp({ LIMIT_API: "2", LIMIT_INGEST: "3", LIMIT_SIGN_IN: "1" }, async (t) => {
    const { id, admin } = await makeWorkspace(t.db);
    const project = await makeProject(t.db, id);
    await makeMember(t.db, project.id, { user: admin });
    const token = t.http.as(await makeProjectToken(t.db, project.id, admin.id));
    const groups = () => token.get(`/api/projects/${project.id}/error-groups`);
    const send = () => token.post(`/api/projects/${project.id}/error-events`, anEvent());
    const statuses: number[] = [];
    for (const request of [groups, groups, groups, send, send, send, send, groups])
      statuses.push((await request()).status);
    assert.deepEqual(statuses, [200, 200, 429, 202, 202, 202, 429, 429]);
    const signIn = () => t.http.post("/api/session", { email: "nobody@example.com", password: "wrong" });
    assert.deepEqual([(await signIn()).status, (await signIn()).status], [401, 429]);
    assert.equal((await t.http.get("/api/setup")).status, 200);
  }));

test("a rate-limited request is rejected before its body is read and its project is looked up", () =>
  withApp({ LIMIT_API: "1" }, async (t) => {
    const client = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
    await client.get("/api/profile");
    assert.equal((await client.get("/api/projects/999999")).status, 429);
    const malformed = { headers: { "content-type": "application/json" }, payload: "{" };
    assert.equal((await client.send({ method: "POST", url: "/api/projects", ...malformed })).status, 429);
  }));

test("two server processes on one database share a limit", () =>
  withApp({ LIMIT_API: "6" }, async (t) => {
    const second = await openAppOn(t.database.url, { LIMIT_API: "6" });
    try {
      const token = await makePersonalToken(t.db, (await makeUser(t.db)).id);
      const clients = [t.http.as(token), second.http.as(token)];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (clients[n % 2] as (typeof clients)[0]).get("/api/profile")),
      );
      assert.equal(answers.filter((answer) => answer.status === 200).length, 6);
      assert.equal(answers.filter((answer) => answer.status === 429).length, 14);
    } finally {
      await second.close();
    }
  }));
