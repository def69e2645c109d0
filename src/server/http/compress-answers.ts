import { pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Bytes. A shorter response fits into one packet even without compression. */
const MIN_SIZE = 1_024;
/** Bytes. Longer text is compressed in another thread, because it would delay other requests. */
const MAX_SIZE_IN_THREAD = 32 * 1_024;

/** In order of preference: at these levels, each is faster and compresses better than the next. */
const CODECS = {
  zstd: makeCodec(
    { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } },
    zlib.zstdCompressSync,
    zlib.zstdCompress,
    zlib.createZstdCompress,
  ),
  br: makeCodec(
    { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlib.brotliCompressSync,
    zlib.brotliCompress,
    zlib.createBrotliCompress,
  ),
  gzip: makeCodec({ level: 1 }, zlib.gzipSync, zlib.gzip, zlib.createGzip),
};

type Encoding = keyof typeof CODECS;
const ENCODINGS = Object.keys(CODECS) as Encoding[];

/**
 * Compresses JSON and text of more than 1 KB with zstd, br or gzip, whichever the client accepts. Event streams bypass
 * this, and so do downloads, whose declared length tells clients how far they are.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    // The error of a stream replaces its compressed response.
    if (reply.statusCode >= 500) reply.removeHeader("content-encoding");
    if (!isCompressible(reply, payload)) return done(null, payload);
    addVary(reply);
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    if (encoding === undefined) return done(null, payload);
    reply.header("content-encoding", encoding).removeHeader("content-length").removeHeader("accept-ranges");
    CODECS[encoding](payload, done);
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Readable {
  if (typeof payload === "string" ? payload.length <= MIN_SIZE : !(payload instanceof Readable)) return false;
  if (typeof payload !== "string" && Number(reply.getHeader("content-length") ?? 0) <= MIN_SIZE) return false;
  const type = String(reply.getHeader("content-type") ?? "");
  return (
    /^(?:text\/|application\/(?:json|javascript|manifest\+json)\b|image\/svg)/.test(type) &&
    reply.statusCode !== 206 &&
    !reply.hasHeader("content-encoding") &&
    !reply.hasHeader("content-disposition")
  );
}

function addVary(reply: FastifyReply) {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "accept-encoding" : `${String(vary)}, accept-encoding`);
}

/** The best encoding that the client accepts, ours first among those that it accepts equally. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const accepted = new Map<string, number>();
  for (const entry of String(header).split(",")) {
    const [name = "", ...parameters] = entry.split(";");
    const q = parameters.map((each) => /^\s*q=([\d.]+)\s*$/i.exec(each)?.[1]).find(Boolean);
    accepted.set(name.trim().toLowerCase(), q === undefined ? 1 : Number(q));
  }
  const weightOf = (encoding: Encoding) => accepted.get(encoding) ?? accepted.get("*") ?? 0;
  const best = ENCODINGS.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  return weightOf(best) > 0 ? best : undefined;
}

type Done = (error: Error | null, payload?: unknown) => void;

function makeCodec<Options>(
  options: Options,
  compressSync: (text: string, options: Options) => Buffer,
  compress: (text: string, options: Options, done: Done) => void,
  createStream: (options: Options) => NodeJS.ReadWriteStream,
) {
  return (payload: string | Readable, done: Done) => {
    if (typeof payload !== "string") {
      // Fastify reports errors of the result.
      done(
        null,
        pipeline(payload, createStream(options), () => {}),
      );
    } else if (payload.length <= MAX_SIZE_IN_THREAD) done(null, compressSync(payload, options));
    else compress(payload, options, done);
  };
}
