import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { api, ApiError } from "./client.ts";

/** How many requests the server still rejects, and the methods of those that it received. */
let limited = 0;
let received: string[] = [];
const server = createServer((request, response) => {
  received.push(request.method ?? "");
  const isLimited = limited-- > 0;
  response.writeHead(isLimited ? 429 : 200, isLimited ? { "retry-after": "0.05" } : {});
  response.end(JSON.stringify(isLimited ? { message: "Too many requests." } : { ok: true }));
});
let url = "";
before(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
after(() => server.close());
beforeEach(() => {
  received = [];
});

const isLimitError = (error: unknown) => error instanceof ApiError && error.status === 429;

test("a rate-limited read is repeated after Retry-After", async () => {
  limited = 2;
  assert.deepEqual(await api.get(url), { ok: true });
  assert.equal(received.length, 3);
});

test("a read fails after the third retry", async () => {
  limited = 10;
  await assert.rejects(api.get(url), isLimitError);
  assert.equal(received.length, 4);
});

test("a rate-limited write is not repeated", async () => {
  limited = 1;
  await assert.rejects(api.patch(url, { title: "A" }), isLimitError);
  assert.deepEqual(received, ["PATCH"]);
});

test("a read that is aborted while it waits is not repeated", async () => {
  limited = 1;
  const aborting = new AbortController();
  const read = api.get(url, aborting.signal);
  server.once("request", (_request, response) => response.once("close", () => aborting.abort()));
  await assert.rejects(read, { name: "AbortError" });
  assert.deepEqual(received, ["GET"]);
});
