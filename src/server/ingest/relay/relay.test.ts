import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { openSink } from "../../../../test/support/envelope-sink.ts";
import { eventually, waitUntil } from "../../../../test/support/eventually.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { ALLOW_LOCAL } from "../../../../test/support/webhook-receiver.ts";
import { Relay } from "./relay.ts";

const t = await useTestApp({ WEBHOOK_ALLOW: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);

type Options = Partial<ConstructorParameters<typeof Relay>[1]>;

function openRelay(context: TestContext, options: Options = {}): Relay {
  const relay = new Relay(t.db, {
    allowed: ALLOW_LOCAL,
    onError: (error) => {
      throw error;
    },
    firstPauseMs: 1,
    isBusy: () => false,
    ...options,
  });
  context.after(() => relay.close(0));
  return relay;
}

async function openDestination(dsn: string) {
  const project = await openProject(t, workspace);
  const answer = await project.admin.patch(`/api/projects/${project.id}`, { forward_dsn: dsn });
  assert.equal(answer.status, 200, answer.text);
  return { project, destination: { projectId: project.id, dsn } };
}

const envelope = (destination: { projectId: number; dsn: string }, body: Buffer | string = "{}\n") => {
  const { protocol, host } = new URL(destination.dsn);
  const url = `${protocol}//${host}/api/7/envelope/`;
  const request = () => ({ url, headers: {} });
  return { destination, body: Buffer.from(body), request, requestLength: url.length, namesDsn: false };
};

const forwardingOf = async ({ admin, id }: TestProject) => {
  const { since: _, ...counts } = (await admin.get(`/api/projects/${id}/forwarding`)).body;
  return counts as { sent: number; failed: number; dropped: number; last_error: string | null };
};

const bodiesOf = ({ received }: { received: { body: Buffer }[] }) =>
  received.map(({ body }) => body.toString());

test("the counts are those of all processes", async (context) => {
  const sink = await openSink(context);
  const { project, destination } = await openDestination(sink.dsn);
  for (const relay of [openRelay(context), openRelay(context)]) relay.forward(envelope(destination));
  await eventually(() => forwardingOf(project), { sent: 2, failed: 0, dropped: 0, last_error: null });
});

test("what a server refuses counts as failed and is not sent again, and redirects are not followed", async (context) => {
  const other = await openSink(context);
  const sink = await openSink(context, (response, { body }) =>
    body.includes("302")
      ? response.writeHead(302, { location: `${other.url}/api/7/envelope/` }).end()
      : response.writeHead(Number(body.toString())).end(),
  );
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context);
  const bodies = ["400", "403", "413", "500", "302"];
  for (const body of bodies) relay.forward(envelope(destination, body));
  await eventually(async () => (await forwardingOf(project)).failed, bodies.length);
  assert.deepEqual(bodiesOf(sink).toSorted(), bodies.toSorted());
  assert.equal(other.received.length, 0);
  assert.match(String((await forwardingOf(project)).last_error), /^status \d{3}$/);
});

for (const status of [429, 503])
  test(`a server that answers ${status} gets the envelope again after the time that it asks for`, async (context) => {
    const sink = await openSink(context, (response) =>
      sink.received.length === 1 ? response.writeHead(status, { "retry-after": "1" }).end() : response.end(),
    );
    const { project, destination } = await openDestination(sink.dsn);
    const startedAt = performance.now();
    openRelay(context).forward(envelope(destination));
    await eventually(() => forwardingOf(project), {
      sent: 1,
      failed: 0,
      dropped: 0,
      last_error: `status ${status}`,
    });
    // A second passes at least, however fast the machine is.
    assert.ok(performance.now() - startedAt >= 990);
    assert.equal(sink.received.length, 2);
  });

test("while a server asks for less, nothing is sent to it, and others are not affected", async (context) => {
  const limiting = await openSink(context, (response) =>
    response.writeHead(429, { "retry-after": "3600" }).end(),
  );
  const fast = await openSink(context);
  const [first, second] = [await openDestination(limiting.dsn), await openDestination(fast.dsn)];
  const relay = openRelay(context);
  relay.forward(envelope(first.destination, "1"));
  await eventually(async () => (await forwardingOf(first.project)).last_error, "status 429");
  for (const n of [2, 3]) relay.forward(envelope(first.destination, String(n)));
  relay.forward(envelope(second.destination));
  await waitUntil(() => fast.received.length === 1);
  await eventually(() => relay.load.envelopes, 3);
  assert.deepEqual(bodiesOf(limiting), ["1"]);
});

test("a server that is down gets an envelope five times, then the envelope has failed", async (context) => {
  const { project, destination } = await openDestination("http://0123456789abcdef@127.0.0.1:9/7");
  const relay = openRelay(context);
  relay.forward(envelope(destination));
  await eventually(() => forwardingOf(project), { sent: 0, failed: 1, dropped: 0, last_error: "connect" });
  assert.deepEqual(relay.load, { envelopes: 0, bytes: 0 });
});

test("all envelopes of a server that was down arrive once it is back", async (context) => {
  const sink = await openSink(context, (response) =>
    response.writeHead(sink.received.length < 6 ? 503 : 200).end(),
  );
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context);
  for (let n = 0; n < 10; n++) relay.forward(envelope(destination, String(n)));
  await eventually(() => forwardingOf(project), {
    sent: 10,
    failed: 0,
    dropped: 0,
    last_error: "status 503",
  });
  assert.equal(new Set(bodiesOf(sink)).size, 10);
});

for (const [what, respond] of [
  ["never answers", () => {}],
  ["closes the connection", (response) => response.destroy()],
  [
    "floods with headers",
    (response) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      for (let n = 0; n < 1_000; n++) response.socket?.write(`x-${n}: ${"x".repeat(100)}\r\n`);
    },
  ],
] satisfies [string, NonNullable<Parameters<typeof openSink>[1]>][])
  test(`a server that ${what} costs attempts and nothing else`, async (context) => {
    const sink = await openSink(context, respond);
    const { project, destination } = await openDestination(sink.dsn);
    const relay = openRelay(context, { answerMs: 50 });
    relay.forward(envelope(destination));
    await eventually(async () => (await forwardingOf(project)).failed, 1);
    assert.match(String((await forwardingOf(project)).last_error), /^(timeout|protocol)$/);
    assert.deepEqual(relay.load, { envelopes: 0, bytes: 0 });
  });

test("an endless response counts by its status", async (context) => {
  const sink = await openSink(context, (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(1_000)), 1);
    response.once("close", () => clearInterval(timer));
  });
  const { project, destination } = await openDestination(sink.dsn);
  openRelay(context).forward(envelope(destination));
  await eventually(async () => (await forwardingOf(project)).sent, 1);
});

test("an address that is not allowed is not connected to", async (context) => {
  const sink = await openSink(context);
  const { project, destination } = await openDestination(sink.dsn);
  openRelay(context, { allowed: [] }).forward(envelope(destination));
  await eventually(() => forwardingOf(project), {
    sent: 0,
    failed: 1,
    dropped: 0,
    last_error: "address_not_allowed",
  });
  assert.equal(sink.received.length, 0);
});

test("a name is looked up once for each connection, which goes to the address that was checked", async (context) => {
  const sink = await openSink(context);
  const { port } = new URL(sink.url);
  const { project, destination } = await openDestination(sink.dsn);
  const lookups: string[] = [];
  const relay = openRelay(context, {
    allowed: [{ hostname: "errors.test", port: undefined }],
    lookUp: async (hostname) => {
      lookups.push(hostname);
      return ["127.0.0.1"];
    },
  });
  for (let n = 1; n <= 3; n++) {
    const request = () => ({ url: `http://errors.test:${port}/api/7/envelope/`, headers: {} });
    relay.forward({ ...envelope(destination), request });
    await eventually(async () => (await forwardingOf(project)).sent, n);
  }
  assert.equal(sink.received[0]?.headers.host, `errors.test:${port}`);
  assert.ok(lookups.length <= sink.received.length);
});

test("at most 1,000 envelopes wait, and the oldest that are not being sent are dropped", async (context) => {
  const sink = await openSink(context, () => {});
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context);
  for (let n = 0; n < 1_005; n++) relay.forward(envelope(destination, String(n)));
  assert.equal(relay.load.envelopes, 1_000);
  await eventually(async () => (await forwardingOf(project)).dropped, 5);
  await waitUntil(() => sink.received.length === 4);
  sink.respond = (response) => response.end();
});

test("while the process is busy, a server gets one envelope at a time, and all of them once it has time", async (context) => {
  let isBusy = true;
  const waiting: ServerResponse[] = [];
  const sink = await openSink(context, (response) => waiting.push(response));
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context, { isBusy: () => isBusy });
  for (let n = 0; n < 6; n++) relay.forward(envelope(destination, String(n)));
  assert.equal(sink.received.length, 0);
  await waitUntil(() => sink.received.length === 1);
  isBusy = false;
  await waitUntil(() => sink.received.length === 4);
  sink.respond = (response) => response.end();
  for (const response of waiting) response.end();
  await eventually(async () => (await forwardingOf(project)).sent, 6);
});

test("at most 16 MiB wait, and a larger envelope does not drop others", async (context) => {
  const MIB = 1_048_576;
  const sink = await openSink(context, () => {});
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context);
  for (let n = 0; n < 20; n++) relay.forward(envelope(destination, Buffer.alloc(MIB)));
  const { envelopes, bytes } = relay.load;
  assert.equal(envelopes, 15);
  assert.ok(bytes <= 16 * MIB, String(bytes));
  relay.forward(envelope(destination, Buffer.alloc(17 * MIB)));
  assert.equal(relay.load.envelopes, 15);
  await eventually(async () => (await forwardingOf(project)).dropped, 6);
});

test("what waits for a server is forgotten when the project has another DSN", async (context) => {
  const asked = Promise.withResolvers<ServerResponse>();
  const sink = await openSink(context, asked.resolve);
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context, { answerMs: 3_600_000 });
  relay.forward(envelope(destination));
  const response = await asked.promise;
  await project.admin.patch(`/api/projects/${project.id}`, { forward_dsn: null });
  response.writeHead(503).end();
  await eventually(() => relay.load.envelopes, 0);
  assert.equal(sink.received.length, 1);
});

test("when the server stops, it sends what waits, and counts what it could not send as dropped", async (context) => {
  const sink = await openSink(context);
  const { project, destination } = await openDestination(sink.dsn);
  const relay = openRelay(context);
  for (let n = 0; n < 100; n++) relay.forward(envelope(destination, String(n)));
  await relay.close(60_000);
  assert.deepEqual(await forwardingOf(project), { sent: 100, failed: 0, dropped: 0, last_error: null });

  const silent = await openSink(context, () => {});
  const other = await openDestination(silent.dsn);
  const stuck = openRelay(context);
  for (let n = 0; n < 10; n++) stuck.forward(envelope(other.destination, String(n)));
  await stuck.close(10);
  assert.deepEqual(await forwardingOf(other.project), { sent: 0, failed: 0, dropped: 10, last_error: null });
});
