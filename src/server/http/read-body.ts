import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { badRequest, overloaded, tooLarge, unsupportedType } from "../answers/errors.ts";

const MIB = 1_048_576;

/** JSON bodies other than error events (decisions.md 1). */
export const JSON_LIMIT = 2 * MIB;

/**
 * Bytes of all bodies in memory at the same time; a request that would pass it is told to come back. A body counts until
 * its answer is sent or its client gone: read is not done with.
 */
const IN_FLIGHT_LIMIT = 256 * MIB;
let inFlight = 0;

/** Whose answer ends the time of a body. */
const answers = new WeakMap<IncomingMessage, ServerResponse>();

/** Reads JSON bodies everywhere: an empty one is no body, unknown keys (even `__proto__`) do no harm. */
export function readJsonBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, stream: IncomingMessage) => {
    if (request.headers["content-encoding"] !== undefined)
      throw unsupportedType("A compressed body is not supported here.");
    return parseJson(await readBytes(stream, JSON_LIMIT));
  });
  // In the order of checks this follows the guard, so it is not an onRequest hook.
  app.addHook("preParsing", (request, reply, _payload, done) => {
    if (request.headers["content-type"] !== undefined) answers.set(request.raw, reply.raw);
    // Without a type there is nothing to parse it by; without a body there is nothing to parse.
    const untyped =
      request.headers["content-type"] === undefined && Number(request.headers["content-length"] ?? 0) > 0;
    done(untyped ? unsupportedType("Send a content type, such as application/json.") : null);
  });
}

/** The bytes as JSON; undefined when there are none. Throws 400 when they are not JSON in UTF-8. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (bytes.length > MANY && nestsDeeperThan(bytes, MOST_NESTED))
    throw badRequest("The body is nested too deeply.");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** What the product reads nests five deep. A little body may nest as it likes, it is soon parsed. */
const MOST_NESTED = 1_000;
const MANY = 64 * 1024;

/** Parsing 2 MiB of nothing but brackets holds the process for half a second, looking at them for milliseconds. */
function nestsDeeperThan(bytes: Buffer, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) inString = !inString;
    else if (inString) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (depth > most) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The whole body, at most `limit` bytes: 413 above, before as much as it says or as it turns out. */
export async function readBytes(stream: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(stream.headers["content-length"] ?? 0) > limit) throw tooLarge();
  return collect(stream, stream, limit);
}

/** As readBytes, of a body that may be compressed with gzip; the limit holds before and after. */
export async function readMaybeGzip(stream: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = stream.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding === undefined || encoding === "identity") return readBytes(stream, limit);
  if (encoding !== "gzip") throw unsupportedType("Of compressed bodies only gzip is supported.");
  if (Number(stream.headers["content-length"] ?? 0) > limit) throw tooLarge();
  const gunzip = createGunzip();
  stream.on("error", (error) => gunzip.destroy(error));
  stream.pipe(gunzip);
  try {
    return await collect(stream, gunzip, limit);
  } finally {
    // A few bytes can inflate to gigabytes: nothing more of what was refused goes through.
    stream.unpipe(gunzip).resume();
    gunzip.destroy();
  }
}

/** What comes out of `stream`, which is the request itself or made of it. */
function collect(request: IncomingMessage, stream: Readable, limit: number): Promise<Buffer> {
  const answer = answers.get(request);
  if (!answer) throw new Error("a body is read before its turn");
  return new Promise((resolve, reject) => {
    // Of a client that has left already no event would tell.
    if (answer.destroyed || request.destroyed) return reject(endedEarly());
    const chunks: Buffer[] = [];
    let size = 0;
    let isReading = true;
    const finish = (settle: () => void) => {
      isReading = false;
      stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      settle();
      chunks.length = 0;
    };
    const fail = (error: Error) => {
      finish(() => reject(error));
      // The rest is not wanted, but a late error of the stream must find a listener.
      stream.on("error", () => {}).resume();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      inFlight += chunk.length;
      if (size > limit) return fail(tooLarge());
      if (inFlight > IN_FLIGHT_LIMIT) return fail(overloaded());
      chunks.push(chunk);
    };
    const onEnd = () =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onError = () => fail(badRequest("The body could not be read."));
    const onClose = () => fail(endedEarly());
    answer.once("close", () => {
      if (isReading) onClose();
      inFlight -= size;
    });
    stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

const endedEarly = () => badRequest("The body ended early.");
