import { hash, randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tooLarge, unsupportedType } from "../answers/errors.ts";
import { FairTurns } from "../batching/fair-turns.ts";
import { announceBody } from "../http/body-listener.ts";
import {
  readMultipart,
  maxBodyBytes,
  type ExpectedParts,
  type Upload,
  type UploadedFile,
} from "./read-multipart.ts";
import type { Uploader } from "./uploader.ts";

/** Allows the scope's routes to accept multipart bodies, which they read themselves after their own checks, as a stream. */
export function acceptUploads(scope: Pick<FastifyInstance, "addContentTypeParser">): void {
  scope.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null, undefined));
}

export function isUpload(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "");
}

type FileInMemory = Pick<UploadedFile, "field" | "filename"> & { bytes: Buffer };

const HOUR_MS = 3_600_000;

/**
 * How many bodies are read at once. Each turn of the event loop reads up to 64 KB of each, which takes about a third of a
 * millisecond, while events wait.
 */
const READ_AT_ONCE = 4;
/** A client that takes longer sends so slowly that reading its body at the same time as others costs little. */
const MAX_TURN_MS = 2_000;
/** The request must arrive completely within two minutes. */
const MAX_WAIT_MS = 60_000;
/** Seconds. */
const RETRY_AFTER = 60;

/** Streams the files of multipart bodies to temporary folders, one folder per request. */
export class Uploads {
  readonly #folder: string;
  readonly #silentMs: number;
  readonly #turns = new FairTurns({
    places: READ_AT_ONCE,
    maxWaitMs: MAX_WAIT_MS,
    retryAfter: RETRY_AFTER,
  });
  #sweeping: NodeJS.Timeout | undefined;

  constructor(folder: string, silentMs: number) {
    this.#folder = folder;
    this.#silentMs = silentMs;
  }

  /**
   * Reads a multipart body, passes it to `use`, and then deletes whatever files are left in the request's folder. 400 if
   * the body is malformed or ends early, 408 if the client stops sending, 413 above 32 MiB, 415 if it is compressed. 503 before
   * reading it if too many others are being read.
   */
  async read<T>(
    request: IncomingMessage,
    uploader: Uploader,
    expected: ExpectedParts,
    use: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    if (request.headers["content-encoding"] !== undefined)
      throw unsupportedType("A compressed body is not supported here.");
    if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes(expected)) throw tooLarge();
    return this.useFolder(async (folder) => {
      const upload = await this.#inTurn(uploader, () =>
        readMultipart(request, expected, folder, this.#silentMs),
      );
      await announceBody(request, () => contentOf(upload));
      return use(upload);
    });
  }

  /** Writes files that are in memory to a folder, passes them to `use`, and then deletes the folder. */
  async write<T>(files: FileInMemory[], use: (files: UploadedFile[]) => Promise<T>): Promise<T> {
    return this.useFolder(async (folder) => {
      const written: UploadedFile[] = [];
      for (const [n, { field, filename, bytes }] of files.entries()) {
        const target = path.join(folder, String(n));
        await writeFile(target, bytes);
        const sha256 = hash("sha256", bytes, "buffer");
        written.push({ field, filename, path: target, size: bytes.length, sha256, tooLarge: false });
      }
      return use(written);
    });
  }

  /** Passes a new folder to `use`, and then deletes it with what is left in it. Files in it can be put into storage by renaming. */
  async useFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.#folder, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Runs the work in its turn. If the work takes longer than a turn, it goes on without one. */
  async #inTurn<T>(uploader: Uploader, work: () => Promise<T>): Promise<T> {
    const end = callOnce(await this.#turns.take(uploader));
    const timer = setTimeout(end, MAX_TURN_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /** Deletes what a crash left behind, now and every hour. */
  async startSweeping(): Promise<void> {
    await this.sweep();
    // The next sweep tries again.
    const sweep = () => void this.sweep().catch(() => {});
    this.#sweeping = setInterval(sweep, HOUR_MS).unref();
  }

  stopSweeping(): void {
    clearInterval(this.#sweeping);
  }

  /** No request takes an hour, so folders that have not changed for so long are not in use. */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const folder = path.join(this.#folder, name);
      const stats = await stat(folder).catch(() => undefined);
      if (stats && stats.mtimeMs < now - HOUR_MS) await rm(folder, { recursive: true, force: true });
    }
  }
}

const contentOf = ({ fields, files }: Upload) =>
  JSON.stringify([
    Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)),
    files.map(({ field, filename, size, sha256 }) => [field, filename, size, sha256.toString("hex")]),
  ]);

function callOnce(callback: () => void): () => void {
  let isCalled = false;
  return () => {
    if (!isCalled) callback();
    isCalled = true;
  };
}
