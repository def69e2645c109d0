import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createReporter, fetchErrors } from "../src/fetch/index.ts";
import { recordingServer } from "./support/recording-server.ts";

const key = "0123456789abcdef0123456789abcdef";
const server = await recordingServer();
after(() => server.close());
const options = { url: server.url, project: "WEB", key, captureGlobalErrors: false };
const take = async () => {
  await server.received(1);
  return server.arrivals.splice(0);
};

test("fetch: a handler's error is reported with the declared pattern and rethrown", async () => {
  const reporter = createReporter({ ...options, environment: "test", release: "3" });
  const handler = fetchErrors(
    async (_request: Request): Promise<Response> => {
      throw new TypeError("no lines");
    },
    { reporter, pattern: () => "/orders/:id" },
  );
  await assert.rejects(
    async () => handler(new Request("https://shop.example.com/orders/42?token=abc")),
    /no lines/,
  );
  await reporter.flush();
  const [arrival] = await take();
  assert.deepEqual(
    [arrival?.path, arrival?.authorization],
    ["/api/projects/WEB/error-events", `Bearer ${key}`],
  );
  assert.deepEqual([arrival?.body.environment, arrival?.body.release], ["test", "3"]);
  assert.deepEqual(arrival?.body.context, {
    kind: "route",
    method: "GET",
    pattern: "/orders/:id",
    response_status: 500,
  });
  assert.deepEqual(arrival?.body.runtime, { name: "node", version: process.versions.node });
});

test("fetch: a worker's handlers keep the runtime alive until their errors are sent", async () => {
  const reporter = createReporter(options);
  const waited: Promise<unknown>[] = [];
  const worker = fetchErrors(
    {
      limit: 5,
      fetch: () => new Response("fine"),
      scheduled() {
        throw new RangeError("scheduled");
      },
      queue() {
        throw new RangeError("queue");
      },
    },
    { reporter },
  );
  const lifetime = { waitUntil: (promise: Promise<unknown>) => void waited.push(promise) };
  const call = async (handler: unknown, subject: unknown) =>
    (handler as (...args: unknown[]) => Promise<Response>)(subject, {}, lifetime);
  assert.equal(worker.limit, 5);
  assert.equal(await (await call(worker.fetch, new Request("https://shop.example.com/"))).text(), "fine");
  assert.equal(waited.length, 0);
  await assert.rejects(call(worker.scheduled, { cron: "0 4 * * *" }), /scheduled/);
  await assert.rejects(call(worker.queue, { queue: "mail", messages: [{ attempts: 2 }] }), /queue/);
  await Promise.all(waited);
  assert.deepEqual(
    server.arrivals.splice(0).map(({ body }) => body.context),
    [
      { kind: "job", name: "0 4 * * *" },
      { kind: "job", name: "queue", queue: "mail", attempt: 2 },
    ],
  );
});

test("fetch: a worker starts its reporter with the environment of its first request", async () => {
  const program = `
    import { fetchErrors } from "@signalbox/reporter/fetch";
    const worker = fetchErrors(
      { fetch() { throw new Error("x"); } },
      { init: (env) => ({ url: env.URL, project: "WEB", key: "${key}" }) },
    );
    const waited = [];
    const run = () => worker.fetch(new Request("https://shop.example.com/"), { URL: "${server.url}" }, { waitUntil: (p) => waited.push(p) });
    await run().catch(() => {});
    await run().catch(() => {});
    await Promise.all(waited);`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, ".."),
  });
  assert.equal(server.arrivals.splice(0).length, 2);
});

test("fetch: without options, nothing is sent and nothing throws", async () => {
  const lines: string[] = [];
  const reporter = createReporter({ log: (line) => void lines.push(line) });
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(), true);
  assert.match(lines.join(), /nothing will be sent: .* missing/);
});

test("fetch: the build refers to no module and to no global of Node or a page that a runtime may lack", () => {
  for (const file of ["dist/fetch/index.js", "dist/cjs/fetch/index.js"]) {
    const code = readFileSync(join(import.meta.dirname, "..", file), "utf8");
    assert.doesNotMatch(
      code,
      /\bimport\b|\brequire\(|\bBuffer\b|(?<!globalThis\.|\.)\b(window|document|location)\./,
      file,
    );
  }
});
