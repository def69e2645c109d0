import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect as connectTo, type Socket } from "node:net";
import { after, test } from "node:test";
import * as zlib from "node:zlib";
import { connect } from "../../src/server/db/connect.ts";
import { waitUntil } from "../support/eventually.ts";
import { makeIngestKey, makeProject, makeWorkspace } from "../support/make.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer } from "../support/program.ts";
import { envelope, eventEnvelope } from "../support/sentry.ts";

/**
 * Clients that send the beginning of a compressed body and then nothing. A few bytes make a decoder allocate a window of up to
 * 16 MiB.
 */

const MIB = 1_048_576;
/** A container of 1 GiB must not be killed, and needs some memory for the embedded PostgreSQL. */
const MAX_RESIDENT = 768 * MIB;

const clone = await cloneDatabase();
const database = connect(clone.url, () => {});
const { id: workspaceId } = await makeWorkspace(database.db);
const { id: projectId } = await makeProject(database.db, workspaceId);
const key = await makeIngestKey(database.db, projectId);
await database.close();
const home = await makeHome();
const server = await startServer(home, { DATABASE_URL: clone.url });

after(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await home.remove();
  await clone.drop();
});

const skipped = envelope([{ header: { type: "replay_recording" }, payload: Buffer.alloc(64 * MIB) }]);
const BODIES = {
  br: zlib.brotliCompressSync(skipped, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zlib.zstdCompressSync(skipped),
  gzip: zlib.gzipSync(skipped, { level: 1 }),
  deflate: zlib.deflateSync(skipped, { level: 1 }),
};
type Encoding = keyof typeof BODIES;

const bytesOf = (encoding: Encoding) => BODIES[encoding].subarray(0, 4_096).subarray(0, -1);

/** Sends unfinished bodies on connections of their own, and returns the statuses of the responses so far. */
function attack(count: number, encoding: Encoding, query: string) {
  const statuses: number[] = [];
  const head = [
    `POST /api/${projectId}/envelope/${query} HTTP/1.1`,
    "Host: x",
    `Content-Encoding: ${encoding}`,
    "Transfer-Encoding: chunked",
    "\r\n",
  ].join("\r\n");
  const bytes = bytesOf(encoding);
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connectTo(server.port, "127.0.0.1");
    socket.on("error", () => {}).on("data", (data) => statuses.push(Number(String(data).slice(9, 12))));
    socket.write(Buffer.concat([Buffer.from(`${head}${bytes.length.toString(16)}\r\n`), bytes]));
    return socket;
  });
  return { statuses, stop: () => sockets.forEach((socket) => socket.destroy()) };
}

const peakMemory = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) * 1_024;

async function requireService() {
  const health = await fetch(`${server.url}/api/health`);
  assert.equal(health.status, 200);
  const body = eventEnvelope({ exception: { values: [{ type: "Error", value: "It broke" }] } });
  const sent = await fetch(`${server.url}/api/${projectId}/envelope/?sentry_key=${key}`, {
    method: "POST",
    body,
  });
  assert.equal(sent.status, 200);
  const peak = peakMemory();
  assert.ok(peak < MAX_RESIDENT, `${Math.round(peak / MIB)} MiB`);
}

for (const encoding of ["br", "zstd", "deflate"] as const)
  for (const count of [300, 900])
    test(`${count} unfinished ${encoding} bodies without a key are refused with 415`, async () => {
      const { statuses, stop } = attack(count, encoding, "");
      try {
        await waitUntil(() => statuses.length === count);
        await requireService();
        assert.deepEqual(new Set(statuses), new Set([415]));
      } finally {
        stop();
      }
    });

for (const encoding of ["br", "zstd"] as const)
  for (const count of [300, 900])
    test(`of ${count} unfinished ${encoding} bodies with a key, all but a few are refused with 503`, async () => {
      const { statuses, stop } = attack(count, encoding, `?sentry_key=${key}`);
      try {
        await waitUntil(() => statuses.length >= count - 16);
        await requireService();
        assert.deepEqual(new Set(statuses), new Set([503]));
      } finally {
        stop();
      }
    });

for (const [name, query] of [
  ["without a key", ""],
  ["with a key", `?sentry_key=${key}`],
] as const)
  test(`900 unfinished gzip bodies ${name} leave the server in service`, async () => {
    const { stop } = attack(900, "gzip", query);
    try {
      for (let n = 0; n < 20; n++) await requireService();
    } finally {
      stop();
    }
  });
