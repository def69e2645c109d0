import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import {
  isAlive,
  makeHome,
  postgresPid,
  run,
  startServer,
  type Home,
  type Server,
} from "../support/program.ts";
import { waitUntil } from "../support/eventually.ts";

const WITH_LIMITS = path.join(import.meta.dirname, "../support/serve-with-limits.ts");

let home: Home;
let server: Server;
let installed: Installed;
before(async () => {
  home = await makeHome();
  server = await startServer(home, { SETUP_TOKEN });
  installed = await install(server.url);
});
after(async () => {
  agent.destroy();
  await home.remove();
});

/** Ends the server, if it is running, and starts it on the same data. */
async function restart(settings: Record<string, string> = {}, main?: string): Promise<Server> {
  server.kill("SIGTERM");
  await server.ended;
  server = await startServer(home, { SETUP_TOKEN, ...settings }, main);
  return server;
}

/** An agent with keep-alive connections, which only the server closes. */
const agent = new Agent({ keepAlive: true });

/** A request whose headers the server has read; the test sends the body. */
async function underWay(event: Record<string, unknown>): Promise<{ sent: ClientRequest; body: Buffer }> {
  const body = Buffer.from(JSON.stringify(event));
  const sent = request(`${server.url}${installed.events}`, {
    method: "POST",
    agent,
    headers: {
      authorization: `Bearer ${installed.token}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  sent.on("error", () => {});
  sent.flushHeaders();
  const refused = once(sent, "response").then(([response]) => {
    throw new Error(`answered ${(response as IncomingMessage).statusCode} before the body`);
  });
  refused.catch(() => {});
  await Promise.race([once(sent, "continue"), refused]);
  return { sent, body };
}

async function answerTo(sent: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Resolves once the server accepts no new connections. */
async function closed() {
  const isRefused = () =>
    fetch(`${server.url}/api/health`, { headers: { connection: "close" } }).then(
      () => false,
      () => true,
    );
  await waitUntil(isRefused, "the server goes on taking requests");
}

const countOf = async (exception_class: string) =>
  (await installed.readGroups(server.url)).find((group) => group.exception_class === exception_class)
    ?.occurrence_count ?? 0;

test("SIGTERM finishes requests in flight, rejects new ones, exits with code 0 and stops PostgreSQL", async () => {
  await restart({ IN_FLIGHT_MS: "120000" }, WITH_LIMITS);
  const postgres = postgresPid(home);
  const { sent, body } = await underWay(anEvent({ exception_class: "UnderWay" }));
  sent.write(body.subarray(0, 20));
  server.kill("SIGTERM");
  await closed();
  sent.end(body.subarray(20));
  assert.equal(await answerTo(sent), 202);
  const answered = performance.now();
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  // The idle keep-alive connection does not delay the stop until its deadline.
  assert.ok(performance.now() - answered < 60_000);
  assert.equal(isAlive(postgres), false);
  assert.deepEqual(
    [server.stderr(), levels(server).has("warn"), levels(server).has("error")],
    ["", false, false],
  );
  await restart();
  assert.equal(await countOf("UnderWay"), 1);
});

/** The levels of the logged lines. */
const levels = (of: Server) =>
  new Set(
    of
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).level as string),
  );

test("SIGTERM and SIGINT under load lose no acknowledged event", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const before = await countOf("Drained");
    const tally = { acknowledged: 0, unanswered: 0 };
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) {
        const status = await installed.send(server.url, anEvent({ exception_class: "Drained" })).then(
          (answer) => answer.status,
          () => undefined,
        );
        if (status === 202) tally.acknowledged++;
        if (status === undefined) tally.unanswered++;
        if (status !== 202) return;
      }
    });
    await waitUntil(() => tally.acknowledged >= 200, "the server takes too few events");
    server.kill(signal);
    await Promise.all(clients);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    await restart();
    const count = (await countOf("Drained")) - before;
    const said = `${tally.acknowledged} acknowledged, ${tally.unanswered} unanswered, ${count} counted`;
    assert.ok(count >= tally.acknowledged && count <= tally.acknowledged + tally.unanswered, said);
  }
});

test("large events that are being read when SIGTERM arrives get a response", async () => {
  const previous = Array.from({ length: 10 }, () => ({
    exception_class: "P",
    message: "",
    stack_trace: "\u{1F600}".repeat(60_000),
  }));
  const requests = await Promise.all(
    Array.from({ length: 6 }, () =>
      underWay(anEvent({ exception_class: "Large", previous_exceptions: previous })),
    ),
  );
  const answers = requests.map(({ sent, body }) => {
    sent.end(body);
    return answerTo(sent);
  });
  await Promise.race(answers);
  server.kill("SIGTERM");
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([202]));
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  await restart();
  assert.equal(await countOf("Large"), 6);
});

test("an incomplete body is aborted at the deadline and does not prevent the stop", async () => {
  await restart({}, WITH_LIMITS);
  const { sent, body } = await underWay(anEvent({ exception_class: "HalfSent" }));
  sent.write(body.subarray(0, 20));
  const cut = new Promise((resolve) => sent.on("close", resolve));
  const before = performance.now();
  server.kill("SIGTERM");
  await cut;
  const held = performance.now() - before;
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.ok(held >= 450, `${held} ms`);
  await restart();
  assert.equal(await countOf("HalfSent"), 0);
});

test("a second SIGTERM ends the process immediately, and no data is lost", async () => {
  await installed.send(server.url, anEvent({ exception_class: "Twice" }));
  const { sent, body } = await underWay(anEvent());
  sent.write(body.subarray(0, 20));
  server.kill("SIGTERM");
  await closed();
  server.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 1, signal: null });
  sent.destroy();
  await restart();
  assert.equal(await countOf("Twice"), 1);
});

test("a second start on the same DATA_DIR fails with one line and does not affect the first", async () => {
  for (const args of [["serve"], ["migrate"]]) {
    const second = await run(home, args);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^Another Signalbox is running on [^\n]+\n$/);
  }
  assert.equal((await fetch(`${server.url}/api/ready`)).status, 200);
});

test("the retention command works while the server is running", async () => {
  const result = await run(home, ["retention", "--anyway"]);
  assert.equal(result.code, 0, result.stderr);
  assert.match(result.stdout, /^Retention deleted 0 error groups, [^\n]+\n$/);
  assert.equal((await fetch(`${server.url}/api/ready`)).status, 200);
});

test("the first start prints the setup token and its URL; later starts do not once a user exists", async () => {
  const other = await makeHome();
  try {
    const first = await startServer(other);
    const printed = /set it up at (\S+)\/setup\?token=(\S+)/;
    await waitUntil(() => printed.test(first.stdout()), "the token is not printed");
    const [, address, token = ""] = printed.exec(first.stdout()) ?? [];
    assert.equal(address, `http://localhost:${first.port}`);
    assert.ok(token.length >= 32);
    assert.deepEqual(await (await fetch(`${first.url}/api/setup`)).json(), { required: true });
  } finally {
    await other.remove();
  }
  await restart();
  await installed.readGroups(server.url);
  assert.doesNotMatch(server.stdout(), /setup/);
});
