import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { acceptedEncoding, compressAnswers } from "./compress-answers.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, title: "Grüße 日本 😀" }));
const text = "A line of text.\n".repeat(1_000);

const app: FastifyInstance = Fastify();
before(async () => {
  compressAnswers(app);
  app.get("/rows/:count", async (request) => rows(Number((request.params as { count: string }).count)));
  app.get("/short", async () => ({ text: "x".repeat(900) }));
  app.get("/stream", async (_request, reply) =>
    reply
      .headers({ "content-type": "text/javascript", "content-length": text.length })
      .send(Readable.from([text])),
  );
  app.get("/broken-stream", async (_request, reply) => {
    const failing = new Readable({
      read() {
        this.destroy(new Error("the disk is gone"));
      },
    });
    return reply.headers({ "content-type": "text/css", "content-length": text.length }).send(failing);
  });
  app.get("/image", async (_request, reply) => reply.type("image/webp").send(Buffer.alloc(5_000)));
  app.get("/download", async (_request, reply) =>
    reply.type("text/plain").header("content-disposition", "attachment").send(text),
  );
  await app.ready();
});
after(() => app.close());

const get = (url: string, accept?: string) =>
  app.inject({ url, headers: accept === undefined ? {} : { "accept-encoding": accept } });

for (const [encoding, decompress] of [
  ["zstd", zstdDecompressSync],
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
] as const)
  test(`long, very long and streamed text is compressed with ${encoding}`, async () => {
    for (const count of [100, 5_000]) {
      const { headers, rawPayload } = await get(`/rows/${count}`, encoding);
      const { "content-encoding": used, "content-type": type, vary } = headers;
      assert.deepEqual([used, type, vary], [encoding, JSON_TYPE, "accept-encoding"]);
      assert.equal(headers["content-length"], String(rawPayload.length));
      assert.deepEqual(JSON.parse(decompress(rawPayload).toString()), rows(count));
      assert.ok(rawPayload.length < JSON.stringify(rows(count)).length / 3, String(rawPayload.length));
    }
    const streamed = await get("/stream", encoding);
    assert.deepEqual(
      [streamed.headers["content-encoding"], streamed.headers["content-length"]],
      [encoding, undefined],
    );
    assert.equal(decompress(streamed.rawPayload).toString(), text);
  });

test("short text, images and downloads are sent as they are", async () => {
  for (const url of ["/short", "/image", "/download"]) {
    const { headers } = await get(url, "gzip, deflate, br, zstd");
    assert.equal(headers["content-encoding"], undefined, url);
  }
});

test("a client that accepts no compression gets the text, with a Vary header for caches", async () => {
  const { headers, body } = await get("/rows/100");
  assert.deepEqual([headers["content-encoding"], headers["vary"]], [undefined, "accept-encoding"]);
  assert.deepEqual(JSON.parse(body), rows(100));
});

test("if a file cannot be read, the error is not declared as compressed", async () => {
  const { statusCode, headers, body } = await get("/broken-stream", "gzip");
  assert.deepEqual([statusCode, headers["content-encoding"]], [500, undefined]);
  assert.equal(JSON.parse(body).message, "the disk is gone");
});

test("the client's preference decides, then the server's", () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["gzip, deflate", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["GZIP;q=1.0, br;q=0.5", "gzip"],
    ["gzip;q=0.5, br; q=0.8", "br"],
    ["zstd;q=0, gzip", "gzip"],
    ["*", "zstd"],
    ["*;q=0", undefined],
    ["br;q=0, *", "zstd"],
  ];
  for (const [header, expected] of cases) assert.equal(acceptedEncoding(header), expected, header);
});
