import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { S3Settings } from "../../config/storage-url.ts";
import { isKey, type Storage, type StorageEntry } from "./storage.ts";

const CONNECT_MS = 5_000;
/** Maximum time without a byte from the store. */
const SILENT_MS = 30_000;

/** Stores files as objects in a bucket, under a prefix if one is configured. */
export class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix, endpoint, region, credentials }: S3Settings) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#client = new S3Client({
      region,
      ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
      // S3-compatible stores rarely support a host name per bucket or the newest checksums.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
      // Errors are thrown and logged by the caller.
      logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    });
  }

  async put(key: string, file: string): Promise<void> {
    const { size } = await stat(file);
    const body = createReadStream(file);
    try {
      await this.#client.send(
        new PutObjectCommand({ ...this.#object(key), Body: body, ContentLength: size }),
      );
    } finally {
      body.destroy();
    }
  }

  async open(key: string): Promise<Readable | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object(key)));
      return Body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(key)));
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
}
