import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type BenchEvent, makeEvents } from "./events.ts";
import { besideBareHttp } from "./beside-bare-http.ts";
import { makeTargets, report, requestsFor, SECONDS, watchUsage } from "./ingest.ts";
import { load, prepareBytes, type LoadResult, type Prepared } from "./load.ts";
import { type BenchServer, type Owner, setUp, startServer } from "./server.ts";

const CONNECTIONS = 128;
/** Of forwarding. */
const TURNS = 5;
const TURN_SECONDS = 3;
const FIXTURE = path.join(import.meta.dirname, "../test/fixtures/sentry/node-10.78.0.json");

/**
 * Envelopes of a Sentry SDK, recorded from @sentry/node: with an event of 14 KB, plain and compressed, and without an
 * event. Compared with native events of 3 KB and with bare HTTP in the same run, and with forwarding to a fast server and to one that
 * is down.
 */
export async function benchSentry() {
  console.log(`\nSentry envelopes: ${CONNECTIONS} connections`);
  const [large, session] = readFixtures();
  const server = await startServer(undefined, { WEBHOOK_ALLOW: "127.0.0.1" });
  try {
    const owner = await setUp(server.port);
    const targets = await makeTargets(owner);
    const projectId = targets[0]?.projectId ?? 0;
    const url = await envelopeUrl(owner, projectId);
    const measure = async (name: string, requests: Prepared[], expectedStatus = 200) => {
      const next = (n: number) => requests[n % requests.length] as Prepared;
      const run = (seconds: number) =>
        load({ port: server.port, connections: CONNECTIONS, seconds, expectedStatus, next });
      await run(2);
      const watch = await watchUsage(server);
      const result = await run(SECONDS);
      const { cpu } = await watch.stop();
      report(name, result);
      const each = (seconds: number) => `${((seconds / result.ok) * 1e6).toFixed(0)} µs`;
      console.log(`    CPU time for each: server ${each(cpu.server)}, PostgreSQL ${each(cpu.postgres)}`);
      if (result.other.size > 0) console.log("    other statuses:", result.other);
      return result;
    };
    const events = makeEvents(1_000, 200, 3_000);
    const native = await measure("native events of 3 KB", requestsFor(events, targets), 202);
    const envelopes = events.map(({ group }) => ofGroup(large, group));
    const plain = await measure(
      "envelopes of 14 KB",
      envelopes.map((body) => prepareBytes(url, body)),
    );
    const gzip = await measure(
      "envelopes of 14 KB, gzip",
      envelopes.map((body) => prepareBytes(url, gzipSync(body), "Content-Encoding: gzip\r\n")),
    );
    console.log(`  ratio to native: plain ${ratio(plain, native)}, gzip ${ratio(gzip, native)}`);
    await benchForwarding(
      server,
      owner,
      projectId,
      envelopes.map((body) => prepareBytes(url, body)),
    );
    const sized = Buffer.from(JSON.stringify("x".repeat(session.length - 2)));
    await besideBareHttp(
      "envelopes without events",
      { server, request: prepareBytes(url, Buffer.from(session)), expectedStatus: 200 },
      { connections: CONNECTIONS, seconds: SECONDS, bareRequest: prepareBytes(url, sized) },
    );
  } finally {
    await server.stop();
  }
}

/** Envelopes that are not forwarded, forwarded to a fast server, and forwarded to one that is down, in turns. */
async function benchForwarding(server: BenchServer, owner: Owner, projectId: number, requests: Prepared[]) {
  const sink = await openSink();
  const phases: Phase[] = [
    { name: "not forwarded", port: undefined, rates: [] },
    { name: "forwarded to a fast server", port: sink.port, rates: [] },
    { name: "forwarded to a server that is down", port: 9, rates: [] },
  ];
  for (let turn = 0; turn < TURNS; turn++)
    for (const phase of phases) {
      const { name, port, rates } = phase;
      const forward_dsn = port === undefined ? null : `http://${"0".repeat(32)}@127.0.0.1:${port}/1`;
      await owner.patch(`/api/projects/${projectId}`, { forward_dsn });
      const result = await load({
        port: server.port,
        connections: CONNECTIONS,
        seconds: TURN_SECONDS,
        expectedStatus: 200,
        next: (n) => requests[n % requests.length] as Prepared,
      });
      rates.push(rate(result));
      const { since: _, ...counts } = (await owner.get(`/api/projects/${projectId}/forwarding`)) as {
        since: string;
      };
      console.log(
        `  ${rate(result).toFixed(0)} envelopes a second, ${name}`,
        port === undefined ? "" : counts,
      );
    }
  await owner.patch(`/api/projects/${projectId}`, { forward_dsn: null });
  sink.close();
  const [without] = phases.map(({ rates }) => median(rates));
  for (const { name, rates } of phases.slice(1))
    console.log(`  ${name}: ${(median(rates) / (without ?? 1)).toFixed(2)} of the rate without (medians)`);
}

type Phase = { name: string; port: number | undefined; rates: number[] };

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A server that accepts everything. */
async function openSink() {
  const server = createServer((request, response) => request.resume().once("end", () => response.end("{}")));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function envelopeUrl(owner: Owner, projectId: number): Promise<string> {
  const keys = (await owner.get(`/api/projects/${projectId}/ingest-keys`)) as { data: { key: string }[] };
  return `/api/${projectId}/envelope/?sentry_version=7&sentry_key=${keys.data[0]?.key}`;
}

/** Envelopes of 14 KB with an event of these groups. */
export async function envelopesFor(
  events: BenchEvent[],
  owner: Owner,
  projectId: number,
): Promise<Prepared[]> {
  const url = await envelopeUrl(owner, projectId);
  const [large] = readFixtures();
  return events.map(({ group }) => prepareBytes(url, ofGroup(large, group)));
}

const rate = ({ ok, seconds }: LoadResult) => ok / seconds;
const ratio = (one: LoadResult, other: LoadResult) => (rate(one) / rate(other)).toFixed(2);

function readFixtures(): [large: string, session: string] {
  const bodies = (JSON.parse(readFileSync(FIXTURE, "utf8")) as { body: string }[]).map(({ body }) => body);
  const find = (type: string, min: number) =>
    bodies.find((body) => body.length >= min && body.split("\n", 2)[1]?.includes(`"type":"${type}"`)) ?? "";
  return [find("event", 13_000), find("session", 0)];
}

/** As an event of the group. Without an id, so that the server gives each a new one: known ids are not counted again. */
function ofGroup(body: string, group: number): Buffer {
  const text = body.replaceAll(/"event_id":"[0-9a-f]{32}",/g, "");
  return Buffer.from(
    text
      .replaceAll('"type":"SyntaxError"', `"type":"SyntaxError${group}"`)
      .replaceAll('"type":"PaymentError"', `"type":"PaymentError${group}"`),
  );
}
