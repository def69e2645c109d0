import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { badRequest, requestTimeout, tooLarge } from "../answers/errors.ts";
import { cleanFileName } from "./file-name.ts";

/** Maximum size of a whole multipart body in bytes, unless a route accepts more; larger ones are rejected with 413. */
export const MAX_UPLOAD_BYTES = 32 * 1_048_576;
const MAX_PARTS = 1_000;
/** More than the longest text field (65,535 characters) takes in UTF-8. */
const MAX_FIELD_BYTES = 512 * 1024;

/** A file of the body, stored in a temporary folder. If it is `tooLarge`, only a part of it is stored. */
export type UploadedFile = {
  /** The field name to use in error messages: `file`, `files.0`. */
  field: string;
  filename: string;
  path: string;
  size: number;
  sha256: Buffer;
  tooLarge: boolean;
};

export type Upload = {
  /** The expected fields. If a field occurs more than once, the last one counts. */
  fields: Record<string, string>;
  files: UploadedFile[];
  /** The body contained more files than expected. The surplus was discarded. */
  tooMany: boolean;
};

/** What a body may contain; everything else is discarded. */
export type ExpectedParts = {
  fields: readonly string[];
  /** The error field for the file part with this name, which is the `index`-th file; undefined if not expected. */
  fileField: (name: string, index: number) => string | undefined;
  files: number;
  fileBytes: number;
  /** The most bytes of the whole body. Default: 32 MiB. */
  bodyBytes?: number;
  /** The name to keep of what the client sent. Default: the file's name without folders, cleaned. */
  nameOf?: (sent: string) => string;
};

/** The most bytes of a body with these parts. */
export const maxBodyBytes = ({ bodyBytes = MAX_UPLOAD_BYTES }: Pick<ExpectedParts, "bodyBytes">) => bodyBytes;

/** Reads a multipart body and streams its files into the folder. All files are closed when it returns or throws. */
export async function readMultipart(
  request: IncomingMessage,
  expected: ExpectedParts,
  folder: string,
  silentMs: number,
): Promise<Upload> {
  return new MultipartReader(request, expected, folder).run(silentMs);
}

class MultipartReader {
  readonly #request: IncomingMessage;
  readonly #expected: ExpectedParts;
  readonly #folder: string;
  readonly #upload: Upload = { fields: {}, files: [], tooMany: false };
  readonly #writes: Promise<void>[] = [];
  readonly #failed = Promise.withResolvers<never>();
  readonly #abort = new AbortController();

  constructor(request: IncomingMessage, expected: ExpectedParts, folder: string) {
    this.#request = request;
    this.#expected = expected;
    this.#folder = folder;
    this.#failed.promise.catch(() => {});
  }

  async run(silentMs: number): Promise<Upload> {
    const parser = this.#makeParser();
    const finished = once(parser, "finish");
    finished.catch(() => {});
    const silence = setTimeout(() => this.#failed.reject(requestTimeout()), silentMs);
    try {
      await this.#feed(parser, () => silence.refresh());
      parser.end();
      await Promise.race([finished, this.#failed.promise]);
      await Promise.race([Promise.all(this.#writes), this.#failed.promise]);
      return this.#upload;
    } finally {
      clearTimeout(silence);
      parser.destroy();
      // A failing parser does not end its file streams. Destroying one whose data was read completely would not end its
      // pipeline either.
      this.#abort.abort();
      // All files must be closed before the caller deletes the folder.
      await Promise.allSettled(this.#writes);
    }
  }

  /** Passes the body to the parser. Does not close the connection, because the response still has to be sent. */
  async #feed(parser: BusboyInstance, onChunk: () => void) {
    const request = this.#request;
    const ended = Promise.withResolvers<void>();
    let size = 0;
    const onData = (chunk: Buffer) => {
      onChunk();
      size += chunk.length;
      if (size > maxBodyBytes(this.#expected)) return ended.reject(tooLarge());
      if (parser.write(chunk)) return;
      request.pause();
      parser.once("drain", () => request.resume());
    };
    const onEndedEarly = () => ended.reject(badRequest("The body ended early."));
    // If the client is already gone, no further event will fire.
    if (request.destroyed) onEndedEarly();
    request.on("data", onData).on("end", ended.resolve).on("error", onEndedEarly).on("close", onEndedEarly);
    try {
      await Promise.race([ended.promise, this.#failed.promise]);
    } finally {
      request
        .off("data", onData)
        .off("end", ended.resolve)
        .off("error", onEndedEarly)
        .off("close", onEndedEarly);
    }
  }

  #makeParser(): BusboyInstance {
    const { fields, files, fileBytes } = this.#expected;
    let parser: BusboyInstance;
    if (!/;\s*boundary=("[^"]|[^";\s])/i.test(this.#request.headers["content-type"] ?? "")) throw malformed();
    try {
      parser = new Busboy({
        headers: this.#request.headers as BusboyHeaders,
        limits: {
          parts: Math.max(MAX_PARTS, files + 1),
          fieldSize: MAX_FIELD_BYTES,
          fileSize: fileBytes,
          headerSize: 16_384,
        },
        // cleanFileName removes paths.
        preservePath: true,
        isPartAFile: (_name, _type, filename) => filename !== undefined,
      });
    } catch {
      throw malformed();
    }
    parser.on("error", () => this.#failed.reject(malformed()));
    parser.on("partsLimit", () => this.#failed.reject(malformed()));
    parser.on("field", (name, value) => {
      // Browsers send line breaks of forms as CRLF.
      if (fields.includes(name)) this.#upload.fields[name] = value.replaceAll("\r\n", "\n");
    });
    parser.on("file", (name, stream, filename) => this.#takeFile(name ?? "", stream, filename));
    return parser;
  }

  #takeFile(name: string, stream: BusboyFileStream, filename: string) {
    const { files } = this.#upload;
    // Browsers send an empty file input as a file without a name.
    const field = filename === "" ? undefined : this.#expected.fileField(name, files.length);
    if (field !== undefined && files.length === this.#expected.files) this.#upload.tooMany = true;
    if (field === undefined || this.#upload.tooMany) {
      stream.on("error", () => {}).resume();
      return;
    }
    const target = path.join(this.#folder, String(files.length));
    const file: UploadedFile = {
      field,
      filename: (this.#expected.nameOf ?? cleanFileName)(filename),
      path: target,
      size: 0,
      sha256: Buffer.alloc(0),
      tooLarge: false,
    };
    files.push(file);
    const writing = writeFile(stream, file, this.#abort.signal);
    writing.catch((error: Error) => this.#failed.reject(error));
    this.#writes.push(writing);
  }
}

/** Writes a file to disk, and computes its size and hash on the way. */
async function writeFile(stream: BusboyFileStream, file: UploadedFile, signal: AbortSignal): Promise<void> {
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
    await pipeline(stream, counter, createWriteStream(file.path), { signal });
  } catch (error) {
    // The file stream itself fails only if the body ends in the middle of the file.
    throw stream.errored === error ? malformed() : error;
  }
  file.sha256 = hash.digest();
}

const malformed = () => badRequest("The body is not valid multipart data.");
