import assert from "node:assert/strict";
import { Agent, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { RouteOptions } from "fastify";
import { MULTIPART, multipart } from "../../../test/support/multipart.ts";
import { makePersonalToken, makeUser } from "../../../test/support/make.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { collectRoutes } from "../../../test/support/routes.ts";
import { openTestApp, type TestApp } from "../../../test/support/test-app.ts";

const MIB = 1_048_576;
/** No answer takes this long unless the connection is blocked. */
const DEADLINE_MS = 20_000;

let t: TestApp;
let routes: RouteOptions[];
let p: ReportProject;
let port: number;
let token: string;
before(async () => {
  [t, routes] = await collectRoutes(() => openTestApp());
  p = await openReports(t);
  token = await makePersonalToken(t.db, p.adminUser.id);
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = t.app.server.address() as AddressInfo);
});
after(() => t.close());

type Sent = { method: string; path: string; headers?: Record<string, string>; body: Buffer[] };

/** Sends the pieces, with a pause in between, and resolves with the response when its body has arrived. */
function send(agent: Agent, { method, path, headers = {}, body }: Sent): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({ port, agent, method, path, headers, signal: AbortSignal.timeout(DEADLINE_MS) });
  sent.once("response", (answer) => answer.resume().once("end", () => resolve(answer)));
  // The server may close the connection after its response, while the client is still sending.
  sent.on("error", (error) => reject(new Error(`${method} ${path}`, { cause: error })));
  const sendNext = (index: number) => {
    const piece = body[index];
    if (piece === undefined) sent.end();
    else sent.write(piece, () => setImmediate(() => sendNext(index + 1)));
  };
  sendNext(0);
  return promise;
}

/** Sends a request that is refused with `status`, then another one through the same single connection. */
async function assertConnectionWorks(refused: Sent, status: number | ((status: number) => boolean)) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const name = `${refused.method} ${refused.path}`;
  try {
    const answer = await send(agent, refused);
    const found = answer.statusCode as number;
    assert.ok(typeof status === "number" ? found === status : status(found), `${name}: ${found}`);
    const next = await send(agent, { method: "GET", path: "/api/health", body: [] });
    assert.equal(next.statusCode, 200, name);
    return answer;
  } finally {
    agent.destroy();
  }
}

const bearer = (extra: Record<string, string>) => ({ authorization: `Bearer ${token}`, ...extra });
const large = (mib: number) => Array.from({ length: mib * 4 }, () => Buffer.alloc(MIB / 4, "x"));

test("after any route refuses a large body, its connection still works", async () => {
  const paths = routes
    .flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url })))
    .filter(
      ({ method, url }) => ["POST", "PUT", "PATCH", "DELETE"].includes(method) && url.startsWith("/api/"),
    );
  assert.ok(paths.length > 80, String(paths.length));
  for (const { method, url } of paths)
    for (const type of ["application/json", MULTIPART]) {
      const path = url.replaceAll(/:(\w+)/g, "1");
      const headers = { "content-type": type, "transfer-encoding": "chunked" };
      const refused = { method, path, headers, body: large(1) };
      await assertConnectionWorks(refused, (status) => status >= 400 && status < 500);
    }
});

test("a response that refuses a body before it has arrived closes the connection", async () => {
  const headers = { "content-type": "application/json" };
  const answer = await assertConnectionWorks(
    { method: "POST", path: "/api/projects", headers, body: large(8) },
    401,
  );
  assert.equal(answer.headers.connection, "close");
  const body = [Buffer.from("{}")];
  const small = await assertConnectionWorks(
    { method: "POST", path: "/api/projects", headers: { ...headers, "content-length": "2" }, body },
    401,
  );
  assert.equal(small.headers.connection, "keep-alive");
});

test("after an upload is refused for any reason, its connection still works", async () => {
  const report = await p.create();
  const user = await makeUser(t.db);
  const stranger = await makePersonalToken(t.db, user.id);
  const file = multipart([{ name: "file", filename: "a.txt", content: Buffer.alloc(4 * MIB, "x") }]);
  const parts = Array.from({ length: 3_000 }, (_, n) => ({ name: `field${n}`, value: "x" }));
  const crowded = multipart([{ name: "file", filename: "a.txt", content: "x" }, ...parts]);
  const half = [crowded.subarray(0, 100_000), crowded.subarray(100_000)];
  const uploads = [p.reports, `${p.of(report)}/attachments`, "/api/profile/picture"];
  for (const path of uploads) {
    const method = "POST";
    const headers = bearer({ "content-type": MULTIPART });
    const refuse = (status: number, more: Record<string, string>, body: Buffer[]) =>
      assertConnectionWorks({ method, path, headers: { ...headers, ...more }, body }, status);
    await refuse(400, {}, half);
    await refuse(400, { "content-length": String(crowded.length) }, half);
    await refuse(413, {}, large(34));
    await refuse(413, { "content-length": String(34 * MIB) }, large(34));
    await refuse(415, { "content-encoding": "gzip" }, [file]);
    await refuse(415, { "content-type": "text/plain" }, [file]);
    await refuse(401, { authorization: "Bearer x" }, [file]);
    if (path.startsWith("/api/projects")) await refuse(403, { authorization: `Bearer ${stranger}` }, [file]);
  }
});

test("after an error event is refused, its connection still works", async () => {
  const path = `/api/projects/${p.id}/error-events`;
  const headers = bearer({ "content-type": "application/json" });
  await assertConnectionWorks({ method: "POST", path, headers, body: large(34) }, 413);
  const packed = { ...headers, "content-encoding": "br" };
  await assertConnectionWorks({ method: "POST", path, headers: packed, body: large(2) }, 415);
});
