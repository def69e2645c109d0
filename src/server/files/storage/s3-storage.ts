import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { S3Settings } from "../../config/storage-url.ts";
import { makeS3Client } from "./s3-client.ts";
import { isKey, StorageUnavailable, type Storage, type StorageEntry } from "./storage.ts";

/** Maximum time without a byte sent or received, including the client's retries. A request is answered within 10 s. */
const SILENT_MS = 8_000;

/** Stores files as objects in a bucket, under a prefix if one is configured. */
export class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #silentMs: number;

  constructor(settings: S3Settings, silentMs = SILENT_MS) {
    this.#silentMs = silentMs;
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
    this.#client = makeS3Client(settings, silentMs);
  }

  async put(key: string, file: string): Promise<void> {
    const { size } = await stat(file);
    await this.#attempt(async (abortSignal, onProgress) => {
      const body = Readable.from(chunksOf(file, onProgress), { objectMode: false });
      const command = new PutObjectCommand({ ...this.#object(key), Body: body, ContentLength: size });
      await this.#client.send(command, { abortSignal }).finally(() => body.destroy());
    });
  }

  async open(key: string): Promise<Readable | undefined> {
    return this.#attempt(async (abortSignal) => {
      try {
        const command = new GetObjectCommand(this.#object(key));
        const { Body } = await this.#client.send(command, { abortSignal });
        return Readable.from(contentOf(Body as Readable), { objectMode: false });
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    await this.#attempt(async (abortSignal) => {
      await this.#client.send(new DeleteObjectCommand(this.#object(key)), { abortSignal });
    });
  }

  async *list(): AsyncIterable<StorageEntry> {
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: this.#prefix },
    );
    for await (const page of pages)
      for (const { Key = "", LastModified } of page.Contents ?? []) {
        const key = Key.slice(this.#prefix.length);
        if (isKey(key) && LastModified) yield { key, storedAt: LastModified };
      }
  }

  close(): void {
    this.#client.destroy();
  }

  #object(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  /** Ends the work if it makes no progress for some time. Throws StorageUnavailable. */
  async #attempt<T>(work: (signal: AbortSignal, onProgress: () => void) => Promise<T>): Promise<T> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), this.#silentMs);
    try {
      return await work(silence.signal, () => timer.refresh());
    } catch (error) {
      const seconds = this.#silentMs / 1_000;
      throw new StorageUnavailable(
        silence.signal.aborted ? `The store does not answer (waited ${seconds} s).` : error,
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

async function* chunksOf(file: string, onProgress: () => void): AsyncIterable<Buffer> {
  for await (const chunk of createReadStream(file)) {
    onProgress();
    yield chunk as Buffer;
  }
}

async function* contentOf(body: Readable): AsyncIterable<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new StorageUnavailable(error);
  }
}
