import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { pino } from "pino";
import { failWrites } from "../../../test/support/fail-writes.ts";
import { makePersonalToken, makeUser } from "../../../test/support/make.ts";
import { openTestApp } from "../../../test/support/test-app.ts";
import { logRequests } from "./request-log.ts";

type Line = Record<string, unknown> & { msg: string };

function keptLog(level: string) {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Line);
  const logger: FastifyBaseLogger = pino(
    { level, base: null, formatters: { level: (label) => ({ level: label }) } },
    { write },
  );
  return { logger, lines, requests: () => lines.filter(({ msg }) => msg === "request") };
}

async function openWithLog(level: string, settings: Record<string, string> = {}) {
  const log = keptLog(level);
  const t = await openTestApp(settings, { logger: log.logger });
  const user = await makeUser(t.db);
  const token = await makePersonalToken(t.db, user.id);
  return { ...log, t, user, token, http: t.http.as(token) };
}

test("a successful request is not logged at the default level", async () => {
  const { t, http, requests } = await openWithLog("info");
  assert.equal((await http.get("/api/profile")).status, 200);
  assert.equal((await http.get("/api/workspaces/1")).status, 404);
  assert.deepEqual(requests(), []);
  await t.close();
});

test("a failed request is logged with its details and with the id in its response", async () => {
  const { t, user, http, requests } = await openWithLog("info");
  await failWrites(t.db, { table: "users", id: user.id });
  const answer = await http.patch("/api/profile?note=hidden", { first_name: "Grace" });
  assert.equal(answer.status, 500);
  const [line, ...more] = requests();
  assert.deepEqual(more, []);
  assert.equal(line?.["request_id"], answer.body.request_id);
  const { level, method, route, status, caller, user_id } = line as Line;
  assert.deepEqual(
    { level, method, route, status, caller, user_id },
    {
      level: "info",
      method: "PATCH",
      route: "/api/profile",
      status: 500,
      caller: "personal",
      user_id: user.id,
    },
  );
  assert.equal(typeof line?.["ms"], "number");
  await t.close();
});

test("at level debug every request is one line without URLs, bodies and tokens", async () => {
  const { t, token, http, lines, requests } = await openWithLog("debug");
  await http.get("/api/issues?query=hidden-words");
  await http.post("/api/projects", { key: "WEB", name: "hidden-name", workspace_id: 999_999 });
  await t.http.get("/api/invitations/hidden-token");
  await t.http.get("/api/hidden-path");
  assert.deepEqual(
    requests().map(({ method, route, status, caller }) => [method, route, status, caller]),
    [
      ["GET", "/api/issues", 200, "personal"],
      ["POST", "/api/projects", 422, "personal"],
      ["GET", "/api/invitations/:token", 404, undefined],
      ["GET", "none", 404, undefined],
    ],
  );
  const written = JSON.stringify(lines);
  assert.doesNotMatch(written, /hidden/);
  assert.ok(!written.includes(token));
  await t.close();
});

test("the access log has one line per request with address, credential, route, status and time", async () => {
  const settings = { ACCESS_LOG: "true", TRUST_PROXY: "127.0.0.1" };
  const { t, token, http, lines, requests } = await openWithLog("info", settings);
  const headers = { "x-forwarded-for": "203.0.113.9", authorization: `Bearer ${token}` };
  await t.http.send({ method: "GET", url: "/api/profile?hidden=1", headers });
  await http.get("/api/workspaces/1");
  await t.http.get("/api/profile");
  await t.http.get("/api/hidden-path");
  assert.deepEqual(
    requests().map(({ level, address, credential, method, route, status }) => [
      level,
      address,
      typeof credential === "string" ? credential.replace(/\d+$/, "N") : credential,
      `${String(method)} ${String(route)}`,
      status,
    ]),
    [
      ["info", "203.0.113.9", "pat:N", "GET /api/profile", 200],
      ["info", "127.0.0.1", "pat:N", "GET /api/workspaces/:workspaceId", 404],
      ["info", "127.0.0.1", null, "GET /api/profile", 401],
      ["info", "127.0.0.1", null, "GET none", 404],
    ],
  );
  for (const { ms } of requests()) assert.equal(typeof ms, "number");
  const written = JSON.stringify(lines);
  assert.doesNotMatch(written, /hidden/);
  assert.ok(!written.includes(token));
  await t.close();
});

test("a slow request is logged at the default level, but an endless one is not", async () => {
  const { logger, requests } = keptLog("info");
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    disableRequestLogging: true,
  });
  logRequests(app, { slowMs: -1 });
  app.get("/slow", async () => "done");
  app.get("/endless", { config: { endless: true } }, async () => "done");
  await app.inject("/slow");
  await app.inject("/endless");
  assert.deepEqual(
    requests().map(({ level, route }) => [level, route]),
    [["info", "/slow"]],
  );
  await app.close();
});
