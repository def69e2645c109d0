import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { Transform } from "node:stream";
import { test } from "node:test";
import { createGzip, Gunzip } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { makeMember, makeProject, makeProjectToken, makeWorkspace } from "../../../test/support/make.ts";
import { openTestApp } from "../../../test/support/test-app.ts";
import { setSender } from "./bytes-in-flight.ts";
import { MAX_JSON_BYTES, readJsonBodies } from "./json-body.ts";
import { answerError } from "../answers/errors.ts";
import { waitUntil } from "../../../test/support/eventually.ts";

const MIB = 1_048_576;

/** A gzip stream of this many zeros. */
async function gzipBomb(bytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const zeros = Buffer.alloc(MIB);
  for (let n = 0; n < bytes / MIB; n++) gzip.write(zeros);
  gzip.end();
  return Buffer.concat(await gzip.toArray());
}

/** Watches all gunzip streams of this process: how many bytes they inflated, and whether all have ended. */
function watchInflating() {
  let bytes = 0;
  const seen = new Set<Transform>();
  const { prototype } = Gunzip as unknown as { prototype: Transform };
  prototype.push = function push(this: Transform, chunk: Buffer | null) {
    bytes += chunk?.length ?? 0;
    seen.add(this);
    return Transform.prototype.push.call(this, chunk);
  };
  return {
    bytes: () => bytes,
    isOver: () => seen.size > 0 && [...seen].every((stream) => stream.destroyed),
    stop: () => Reflect.deleteProperty(prototype, "push"),
  };
}

test("a compressed body that is too large is inflated only up to the limit", async () => {
  const bomb = await gzipBomb(512 * MIB);
  const t = await openTestApp();
  const inflated = watchInflating();
  try {
    const { id, admin } = await makeWorkspace(t.db);
    const project = await makeProject(t.db, id);
    await makeMember(t.db, project.id, { user: admin });
    const token = await makeProjectToken(t.db, project.id, admin.id);
    const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
      "content-length": bomb.length,
    };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${base}/api/projects/${project.id}/error-events`, { method: "POST", headers });
      sent.once("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.once("error", reject).end(bomb);
    });
    assert.equal(status, 413);
    await waitUntil(inflated.isOver);
    assert.ok(inflated.bytes() > 32 * MIB, String(inflated.bytes()));
    assert.ok(inflated.bytes() < 34 * MIB, String(inflated.bytes()));
  } finally {
    inflated.stop();
    await t.close();
  }
});

/** A server whose handler counts the bodies that have arrived and answers only after `letGo` is called. */
function slowServer() {
  const app: FastifyInstance = Fastify();
  app.setErrorHandler(answerError);
  readJsonBodies(app);
  const gate = Promise.withResolvers<void>();
  const arrivals = { count: 0 };
  app.post("/wait", async () => {
    arrivals.count++;
    await gate.promise;
    return {};
  });
  app.post("/now", async () => ({}));
  return { app, arrivals, letGo: gate.resolve };
}

const FULL = Buffer.from(`{"a":"${"x".repeat(MAX_JSON_BYTES - 8)}"}`);
const PLACES = (256 * MIB) / MAX_JSON_BYTES;

test("a body counts against the 256 MiB in flight until its response is sent", async () => {
  const { app, arrivals, letGo } = slowServer();
  const post = (url: string) =>
    app.inject({ method: "POST", url, headers: { "content-type": "application/json" }, payload: FULL });
  try {
    const waiting = Array.from({ length: PLACES }, () => post("/wait"));
    await waitUntil(() => arrivals.count === PLACES);
    const refused = await post("/now");
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.headers["retry-after"], "1");
    letGo();
    for (const answer of await Promise.all(waiting)) assert.equal(answer.statusCode, 200);
    for (let n = 0; n < 3; n++) assert.equal((await post("/now")).statusCode, 200);
  } finally {
    await app.close();
  }
});

test("the bodies of a credential use at most as much as they leave free", async () => {
  const { app, arrivals, letGo } = slowServer();
  app.addHook("onRequest", (request, reply, done) => {
    setSender(reply.raw, String(request.headers["x-sender"]));
    done();
  });
  const post = (url: string, sender: string) =>
    app.inject({
      method: "POST",
      url,
      headers: { "content-type": "application/json", "x-sender": sender },
      payload: FULL,
    });
  try {
    const half = Array.from({ length: PLACES / 2 }, () => post("/wait", "one"));
    await waitUntil(() => arrivals.count === half.length);
    assert.equal((await post("/now", "one")).statusCode, 503);
    const quarter = Array.from({ length: PLACES / 4 }, () => post("/wait", "two"));
    await waitUntil(() => arrivals.count === half.length + quarter.length);
    assert.equal((await post("/now", "two")).statusCode, 503);
    assert.equal((await post("/now", "three")).statusCode, 200);
    letGo();
    for (const answer of await Promise.all([...half, ...quarter])) assert.equal(answer.statusCode, 200);
    assert.equal((await post("/now", "one")).statusCode, 200);
  } finally {
    await app.close();
  }
});

test("when a client disconnects, its body no longer counts as in flight, whether it was read or not", async () => {
  const { app, arrivals, letGo } = slowServer();
  const base = await app.listen({ port: 0, host: "127.0.0.1" });
  const agent = new Agent({ keepAlive: false });
  const open = (body: Buffer, length: number) => {
    const headers = { "content-type": "application/json", "content-length": length };
    const sent = request(`${base}/wait`, { method: "POST", agent, headers });
    sent.on("error", () => {}).write(body);
    return sent;
  };
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  try {
    const sent = Array.from({ length: PLACES }, (_, n) =>
      n % 2 === 0 ? open(FULL, FULL.length) : open(FULL.subarray(1), FULL.length),
    );
    await waitUntil(() => arrivals.count === PLACES / 2);
    for (const one of sent) one.destroy();
    await waitUntil(async () => (await connections()) === 0);
    const again = Array.from({ length: PLACES }, () => open(FULL, FULL.length));
    await waitUntil(() => arrivals.count === PLACES * 1.5);
    for (const one of again) one.destroy();
    await waitUntil(async () => (await connections()) === 0);
  } finally {
    letGo();
    agent.destroy();
    await app.close();
  }
});
