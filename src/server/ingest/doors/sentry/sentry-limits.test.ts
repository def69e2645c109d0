import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { sql } from "kysely";
import { waitUntil } from "../../../../../test/support/eventually.ts";
import { makeIngestKey, makeProject, makeWorkspace } from "../../../../../test/support/make.ts";
import { envelope, eventEnvelope, recordedEnvelope } from "../../../../../test/support/sentry.ts";
import { openAppOn, useTestApp, type TestApp } from "../../../../../test/support/test-app.ts";
import { addInFlight, hasRoomInFlight } from "../../../http/bytes-in-flight.ts";

const MIB = 1_048_576;
const t = await useTestApp({ LIMIT_INGEST: "2", LIMIT_FEEDBACK_ADDRESS: "10" });
const { id: workspaceId } = await makeWorkspace(t.db);
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });

async function freshUrl(): Promise<string> {
  const { id } = await makeProject(t.db, workspaceId);
  return `/api/${id}/envelope/?sentry_key=${await makeIngestKey(t.db, id)}`;
}

const send = (url: string, payload: Buffer | string, app: Pick<TestApp, "http"> = t) =>
  app.http.send({ method: "POST", url, payload });

const event = (message: string) =>
  eventEnvelope({ exception: { values: [{ type: "Error", value: message }] } });

test("over the key's limit, requests with events get 429 with a pause for errors, and others 200 without", async () => {
  const url = await freshUrl();
  for (const n of [1, 2]) assert.equal((await send(url, event(String(n)))).status, 200);
  const { status, headers, body } = await send(url, event("3"));
  assert.equal(status, 429);
  const seconds = Number(headers["retry-after"]);
  assert.ok(seconds >= 1 && seconds <= 61, String(seconds));
  assert.equal(headers["x-sentry-rate-limits"], `${seconds}:error:key`);
  assert.equal(typeof body.detail, "string");
  const session = await send(url, recordedEnvelope("session"));
  assert.deepEqual([session.status, session.headers["x-sentry-rate-limits"]], [200, undefined]);
  assert.equal((await send(await freshUrl(), event("other project"))).status, 200);
});

const eventAndFeedback = (message: string) =>
  envelope([
    { header: { type: "event" }, payload: JSON.stringify({ message }) },
    { header: { type: "feedback" }, payload: JSON.stringify({ contexts: { feedback: { message } } }) },
  ]);

const titlesIn = async (url: string) => {
  const projectId = Number(url.split("/")[2]);
  const reports = t.db.selectFrom("reports").select("title").where("project_id", "=", projectId);
  return (await reports.orderBy("id").execute()).map(({ title }) => title);
};

test("over the key's limit of events, the feedback of an envelope is accepted, and only errors pause", async () => {
  const url = await freshUrl();
  for (const n of [1, 2]) assert.equal((await send(url, event(String(n)))).status, 200);
  const { status, headers } = await send(url, eventAndFeedback("It broke"));
  assert.equal(status, 429);
  assert.equal(headers["x-sentry-rate-limits"], `${headers["retry-after"]}:error:key`);
  assert.deepEqual(await titlesIn(url), ["It broke"]);
});

test("over both limits, the response names the pauses of errors and of feedback", async () => {
  const url = await freshUrl();
  const feedback = Array.from({ length: 11 }, (_, n) => ({
    header: { type: "feedback" },
    payload: JSON.stringify({ contexts: { feedback: { message: `No. ${n}` } } }),
  }));
  for (const n of [1, 2]) assert.equal((await send(url, event(String(n)))).status, 200);
  assert.equal((await send(url, envelope(feedback))).status, 429);
  const { status, headers } = await send(url, eventAndFeedback("Too much"));
  assert.equal(status, 429);
  assert.match(String(headers["x-sentry-rate-limits"]), /^\d+:error:key, \d+:feedback;user_report:key$/);
  assert.equal((await titlesIn(url)).includes("Too much"), false);
});

test("after a minute, a limited project's events are accepted again", async () => {
  const url = await freshUrl();
  for (const n of [1, 2]) assert.equal((await send(url, event(String(n)))).status, 200);
  assert.equal((await send(url, event("3"))).status, 429);
  await sql`update rate_limits set clock_offset = clock_offset + 120`.execute(t.db);
  const later = await openAppOn(t.database.url, { LIMIT_INGEST: "2" });
  try {
    assert.equal((await send(url, event("4"), later)).status, 200);
  } finally {
    await later.close();
  }
});

/** Sends chunks over a real connection, as Node SDKs do: without a type or length. */
function stream(
  url: string,
  chunks: Iterable<Buffer>,
  headers: Record<string, string> = {},
  localAddress = "127.0.0.1",
) {
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${base}${url}`, {
      method: "POST",
      localAddress,
      headers: { "transfer-encoding": "chunked", ...headers },
    });
    sent.once("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.once("error", reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

test("a chunked body without a content type is read", async () => {
  const bytes = event("chunked");
  assert.equal(await stream(await freshUrl(), [bytes.subarray(0, 30), bytes.subarray(30)]), 200);
});

test("a body that decompresses to more than 100 MiB returns 413", async () => {
  const bomb = zlib.zstdCompressSync(
    envelope([{ header: { type: "replay_recording" }, payload: Buffer.alloc(101 * MIB) }]),
  );
  assert.equal(await stream(await freshUrl(), [bomb], { "content-encoding": "zstd" }), 413);
});

/** A skipped item of 9 MiB, compressed for a decoder that keeps 2 ** `windowLog` bytes of its output. */
async function zstdWithWindow(windowLog: number): Promise<Buffer> {
  const zstd = zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_windowLog]: windowLog } });
  zstd.end(envelope([{ header: { type: "replay_recording" }, payload: Buffer.alloc(9 * MIB) }]));
  return Buffer.concat(await zstd.toArray());
}

test("a zstd body that requires a window of more than 8 MiB returns 400", async () => {
  const url = await freshUrl();
  const headers = { "content-encoding": "zstd" };
  assert.equal(await stream(url, [await zstdWithWindow(23)], headers), 200);
  assert.equal(await stream(url, [await zstdWithWindow(24)], headers), 400);
});

const BROTLI = { "content-encoding": "br" };
const bomb = zlib.brotliCompressSync(
  envelope([{ header: { type: "replay_recording" }, payload: Buffer.alloc(20 * MIB) }]),
  { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } },
);

/** Sends unfinished bodies, for each of which a decoder keeps 16 MiB. `open`: the number of other such decoders. */
async function openDecoders(url: string, count: number, open = 0) {
  const sent = Array.from({ length: count }, () => {
    const one = request(`${base}${url}`, { method: "POST", headers: BROTLI }).on("error", () => {});
    one.write(bomb.subarray(0, 64));
    return one;
  });
  await waitUntil(() => !hasRoomInFlight(256 * MIB - (open + count) * 16 * MIB + 1));
  return { close: () => sent.forEach((one) => one.destroy()) };
}

test("the memory of decoders counts as in flight, and one key leaves room for others", async () => {
  const [url, other] = [await freshUrl(), await freshUrl()];
  const status = (to: string) => stream(to, [bomb], BROTLI);
  const unfinished = await openDecoders(url, 6);
  try {
    assert.equal(await status(url), 503);
    assert.equal(await status(other), 200);
  } finally {
    unfinished.close();
  }
  await waitUntil(async () => (await status(url)) === 200);
});

test("an address has at most eight brotli decoders with any number of keys, and its other bodies are read", async () => {
  const [first, second, third] = [await freshUrl(), await freshUrl(), await freshUrl()];
  const unfinished = [await openDecoders(first, 6)];
  try {
    unfinished.push(await openDecoders(second, 2, 6));
    assert.equal(await stream(third, [bomb], BROTLI), 503);
    assert.equal(await stream(third, [bomb], BROTLI, "127.0.0.2"), 200);
    assert.equal(await stream(third, [zlib.gzipSync(event("gzip"))], { "content-encoding": "gzip" }), 200);
    assert.equal(await stream(third, [event("plain")]), 200);
  } finally {
    for (const { close } of unfinished) close();
  }
  await waitUntil(async () => (await stream(third, [bomb], BROTLI)) === 200);
});

test("an event in Base64 counts as in flight with its size after decompression", async () => {
  const url = (await freshUrl()).replace("envelope", "store");
  const json = Buffer.from(JSON.stringify({ message: "x".repeat(200_000) }));
  const payload = zlib.deflateSync(json).toString("base64");
  const hold = (bytes: number) => addInFlight(bytes);
  // A sender may use at most as much as it leaves free.
  const free = 256 * MIB - 2 * json.length - MIB / 8;
  hold(free);
  try {
    assert.equal((await send(url, payload)).status, 200);
    hold(MIB / 4);
    assert.equal((await send(url, payload)).status, 503);
  } finally {
    hold(-free - MIB / 4);
  }
});

test("a body of more than 20 MiB returns 413, and large items that are skipped are accepted", async () => {
  const url = await freshUrl();
  const chunks = Array.from({ length: 21 }, () => Buffer.alloc(MIB));
  const header = Buffer.from('{}\n{"type":"replay_recording"}\n');
  assert.equal(await stream(url, [header, ...chunks]), 413);
  assert.equal(await stream(url, [header, ...chunks.slice(2)]), 200);
});

test("envelopes without events do not use the database once the key is known", async () => {
  const url = await freshUrl();
  await send(url, recordedEnvelope("session"));
  let queries = 0;
  const count = () => void queries++;
  const { pool, ingest } = t.database;
  for (const one of [pool, ingest]) one.on("acquire", count);
  for (let n = 0; n < 100; n++) assert.equal((await send(url, recordedEnvelope("session"))).status, 200);
  for (const one of [pool, ingest]) one.off("acquire", count);
  // The key is looked up again once a second.
  assert.ok(queries < 20, String(queries));
});
