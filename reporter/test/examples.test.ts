import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startPostgres } from "./support/postgres.ts";
import { recordingServer } from "./support/recording-server.ts";
import { runFile } from "./support/run-program.ts";

const route = { kind: "route", method: "GET", pattern: "/shop/orders/:id", response_status: 500 };

/** The context that each example reports, its arguments, and its exit code if not 0. */
const examples: Record<string, { context: object; code?: number; args?: string[] }> = {
  "express.mjs": { context: route },
  "fastify.mjs": { context: route },
  "koa.mjs": { context: route },
  "hono.mjs": { context: route },
  "http.mjs": { context: { kind: "route", method: "GET", pattern: "/orders/:id" }, code: 1 },
  "commander.mjs": { context: { kind: "command", name: "import" }, code: 1, args: ["import", "people.csv"] },
  "bullmq.mjs": { context: { kind: "job", name: "SendInvoice", queue: "mail", attempt: 1 } },
  "pg-boss.mjs": { context: { kind: "job", name: "mail", queue: "mail", attempt: 1 } },
};

/** Tested separately: crash.mjs in process.test.ts, browser.mjs below. */
const testedSeparately = ["browser.mjs", "crash.mjs"];

test("every example is tested", () => {
  assert.deepEqual(
    readdirSync(join(import.meta.dirname, "../examples")).sort(),
    [...Object.keys(examples), ...testedSeparately].sort(),
  );
});

test(
  "each example runs, exits with the expected code and reports one error",
  { timeout: 60_000 },
  async (t) => {
    await using postgres = await startPostgres();
    for (const [file, { context, code = 0, args = [] }] of Object.entries(examples)) {
      await t.test(file, async () => {
        await using server = await recordingServer();
        const result = await runFile(`examples/${file}`, server, args, { DATABASE_URL: postgres.url });
        assert.equal(result.code, code, result.stderr);
        assert.deepEqual(
          server.events().map((event) => [event.exception_class, event.context]),
          [["RangeError", context]],
        );
        assert.ok(!JSON.stringify(server.events()).includes("token="));
      });
    }
  },
);

test("the browser example serves its page and forwards events with the token", async () => {
  await using server = await recordingServer();
  const env = {
    ...process.env,
    SIGNALBOX_URL: server.url,
    SIGNALBOX_PROJECT: "7",
    SIGNALBOX_TOKEN: "t",
    PORT: "0",
  };
  const example = spawn(process.execPath, [join(import.meta.dirname, "../examples/browser.mjs")], { env });
  const [line] = (await once(example.stdout, "data")) as [Buffer];
  const address = String(line).trim();
  assert.match(await (await fetch(address)).text(), /init\(\{ endpoint: "\/errors"/);
  assert.match(await (await fetch(`${address}/reporter.js`)).text(), /export\{/);
  const answer = await fetch(`${address}/errors`, { method: "POST", body: '{"message":"from the page"}' });
  assert.equal(answer.status, 202);
  assert.deepEqual(
    server.arrivals.map((arrival) => [arrival.path, arrival.authorization, arrival.body.message]),
    [["/api/projects/7/error-events", "Bearer t", "from the page"]],
  );
  example.kill();
  await once(example, "exit");
});
