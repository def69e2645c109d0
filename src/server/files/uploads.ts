import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { cleanFileName } from "./file-name.ts";
import { badRequest, HttpError, tooLarge, unsupportedType } from "../answers/errors.ts";

/** The whole body of an upload; above it 413 (decisions.md 2). */
export const UPLOAD_LIMIT = 32 * 1_048_576;
/** A client that sends nothing for so long has gone. */
const SILENT_MS = 30_000;
const MOST_PARTS = 1_000;
/** More than the longest text in the most bytes a character takes. */
const MOST_FIELD_BYTES = 512 * 1024;

/** A file of the body, in a temporary place; only its size is known of one that is larger than it may be. */
export type UploadedFile = {
  /** The name of its field as errors tell it: `file`, `files.0`. */
  field: string;
  filename: string;
  path: string;
  size: number;
  sha256: Buffer;
  tooLarge: boolean;
};

export type Upload = {
  /** Of several fields of a name the last; only those that were asked for. */
  fields: Record<string, string>;
  files: UploadedFile[];
  /** More files came than were asked for; those were not kept. */
  tooMany: boolean;
};

/** Lets the scope's routes have a multipart body, which they read themselves: after their checks, without a copy. */
export function acceptUploads(scope: Pick<FastifyInstance, "addContentTypeParser">): void {
  scope.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null, undefined));
}

export function isUpload(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "");
}

/** What a body may hold. */
export type Expected = {
  fields: readonly string[];
  /** The error field of a file part's name; undefined for one that is not wanted. */
  fileField: (name: string, place: number) => string | undefined;
  files: number;
  fileBytes: number;
};

/** Takes the bodies of uploads to a folder of their own. */
export class Uploads {
  readonly #folder: string;
  readonly #silentMs: number;

  constructor(folder: string, silentMs = SILENT_MS) {
    this.#folder = folder;
    this.#silentMs = silentMs;
  }

  /**
   * Reads a multipart body, its files streamed to disk; `use` gets what came, and afterwards no file is left behind.
   * 400 when the body is malformed or ends early, 413 above 32 MiB, 415 when compressed; a client that stops sending
   * is cut off.
   */
  async read<T>(
    request: IncomingMessage,
    expected: Expected,
    use: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    if (request.headers["content-encoding"] !== undefined)
      throw unsupportedType("A compressed body is not supported here.");
    if (Number(request.headers["content-length"] ?? 0) > UPLOAD_LIMIT) throw tooLarge();
    const folder = path.join(this.#folder, randomUUID());
    await mkdir(folder, { recursive: true });
    try {
      return await use(await new Reading(request, expected, folder).run(this.#silentMs));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes what a crash left behind: nothing here outlives its request, and no request lasts an hour. */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const folder = path.join(this.#folder, name);
      const stats = await stat(folder).catch(() => undefined);
      if (stats && stats.mtimeMs < now - 3_600_000) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** One body on its way to disk. */
class Reading {
  readonly #request: IncomingMessage;
  readonly #expected: Expected;
  readonly #folder: string;
  readonly #upload: Upload = { fields: {}, files: [], tooMany: false };
  readonly #writes: Promise<void>[] = [];
  readonly #streams: BusboyFileStream[] = [];
  readonly #failed = Promise.withResolvers<never>();
  #broken = false;

  constructor(request: IncomingMessage, expected: Expected, folder: string) {
    this.#request = request;
    this.#expected = expected;
    this.#folder = folder;
    this.#failed.promise.catch(() => {});
  }

  async run(silentMs: number): Promise<Upload> {
    const parser = this.#parser();
    const finished = once(parser, "finish");
    finished.catch(() => {});
    const silence = setTimeout(() => this.#request.destroy(), silentMs);
    try {
      await this.#feed(parser, () => silence.refresh());
      parser.end();
      await Promise.race([finished, this.#failed.promise]);
    } finally {
      clearTimeout(silence);
      parser.destroy();
      // Whatever is still being written ends before its folder goes; the parser does not end it when it fails.
      for (const stream of this.#streams) if (!stream.readableEnded) stream.destroy();
      await Promise.allSettled(this.#writes);
    }
    await Promise.all(this.#writes);
    return this.#upload;
  }

  async #feed(parser: BusboyInstance, onData: () => void) {
    let size = 0;
    try {
      // The socket stays open: the answer is still to be sent.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        onData();
        size += (chunk as Buffer).length;
        if (size > UPLOAD_LIMIT) throw tooLarge();
        if (!parser.write(chunk)) await Promise.race([once(parser, "drain"), this.#failed.promise]);
        if (this.#broken) await this.#failed.promise;
      }
    } catch (error) {
      if (error instanceof HttpError || !this.#request.destroyed) throw error;
      throw badRequest("The body ended early.");
    }
  }

  #parser(): BusboyInstance {
    const { fields, fileBytes } = this.#expected;
    let parser: BusboyInstance;
    if (!/;\s*boundary=("[^"]|[^";\s])/i.test(this.#request.headers["content-type"] ?? "")) throw malformed();
    try {
      parser = new Busboy({
        headers: this.#request.headers as BusboyHeaders,
        limits: { parts: MOST_PARTS, fieldSize: MOST_FIELD_BYTES, fileSize: fileBytes, headerSize: 16_384 },
        // Paths are cut off by our own rule.
        preservePath: true,
        isPartAFile: (_name, _type, filename) => filename !== undefined,
      });
    } catch {
      throw malformed();
    }
    parser.on("error", () => this.#fail(malformed()));
    parser.on("partsLimit", () => this.#fail(malformed()));
    parser.on("field", (name, value) => {
      if (fields.includes(name)) this.#upload.fields[name] = value;
    });
    parser.on("file", (name, stream, filename) => this.#take(name ?? "", stream, filename));
    return parser;
  }

  #take(name: string, stream: BusboyFileStream, filename: string) {
    const { files } = this.#upload;
    // A form sends an input in which nothing was chosen as a file without a name.
    const field = filename === "" ? undefined : this.#expected.fileField(name, files.length);
    if (field !== undefined && files.length === this.#expected.files) this.#upload.tooMany = true;
    if (field === undefined || this.#upload.tooMany) {
      stream.on("error", () => {}).resume();
      return;
    }
    const target = path.join(this.#folder, String(files.length));
    const file: UploadedFile = {
      field,
      filename: cleanFileName(filename),
      path: target,
      size: 0,
      sha256: Buffer.alloc(0),
      tooLarge: false,
    };
    files.push(file);
    const writing = write(stream, file);
    writing.catch((error: Error) => this.#fail(error));
    this.#writes.push(writing);
    this.#streams.push(stream);
  }

  #fail(error: Error) {
    this.#broken = true;
    this.#failed.reject(error);
  }
}

/** Counts and hashes a file as it goes to disk. */
async function write(stream: BusboyFileStream, file: UploadedFile): Promise<void> {
  const hash = createHash("sha256");
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      file.size += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  stream.once("limit", () => (file.tooLarge = true));
  try {
    await pipeline(stream, counter, createWriteStream(file.path));
  } catch (error) {
    // Of the file stream's own errors there is one: the body ended in its midst.
    throw stream.errored === error ? malformed() : error;
  }
  file.sha256 = hash.digest();
}

const malformed = () => badRequest("The body is not valid multipart data.");
