import { Writable } from "node:stream";
import { callbackify } from "node:util";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { StartError } from "../../config/start-error.ts";
import type { S3Settings } from "../../config/storage-url.ts";
import { makeS3Client } from "../../files/storage/s3-client.ts";
import { isBackupName } from "./backup-name.ts";
import type { Output } from "./output.ts";
import type { BackupStore } from "./place.ts";

/** An upload has at most 10,000 parts, so a backup can have 312 GB. At most two parts are in memory. */
const PART_BYTES = 32 * 1_048_576;
const SILENT_MS = 60_000;
/** Discarding an upload is not worth more: stores delete unfinished ones by themselves. */
const DISCARD_MS = 2_000;

/** Objects in a bucket. An object appears when its upload is complete. */
export class S3Place implements BackupStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #partBytes: number;

  constructor(settings: S3Settings, partBytes = PART_BYTES) {
    this.#client = makeS3Client(settings, SILENT_MS);
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
    this.#partBytes = partBytes;
  }

  addressOf(name: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${name}`;
  }

  async open(name: string, abortSignal?: AbortSignal): Promise<Output> {
    const object = { Bucket: this.#bucket, Key: this.#prefix + name };
    const stoppable = abortSignal ? { abortSignal } : {};
    const explain = (error: Error) => {
      abortSignal?.throwIfAborted();
      throw new StartError(`${this.addressOf(name)} cannot be written: ${error.message}`, error);
    };
    const created = await this.#client
      .send(new CreateMultipartUploadCommand(object), stoppable)
      .catch(explain);
    const upload = { ...object, UploadId: created.UploadId };
    const parts: { ETag: string | undefined; PartNumber: number }[] = [];
    const sendPart = async (Body: Buffer) => {
      const PartNumber = parts.length + 1;
      const command = new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength: Body.length });
      const { ETag } = await this.#client.send(command, stoppable).catch(explain);
      parts.push({ ETag, PartNumber });
    };
    return {
      stream: inParts(this.#partBytes, sendPart),
      keep: async () => {
        const MultipartUpload = { Parts: parts };
        await this.#client
          .send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), stoppable)
          .catch(explain);
      },
      discard: async () => {
        const limit = { abortSignal: AbortSignal.timeout(DISCARD_MS) };
        await this.#client.send(new AbortMultipartUploadCommand(upload), limit);
      },
    };
  }

  async list(abortSignal?: AbortSignal): Promise<string[]> {
    const names: string[] = [];
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: this.#prefix },
      abortSignal ? { abortSignal } : {},
    );
    for await (const page of pages)
      for (const { Key = "" } of page.Contents ?? []) names.push(Key.slice(this.#prefix.length));
    return names.filter(isBackupName);
  }

  async remove(name: string, abortSignal?: AbortSignal): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + name });
    await this.#client.send(command, abortSignal ? { abortSignal } : {});
  }

  close(): void {
    this.#client.destroy();
  }
}

/** Collects what is written into parts of at least `partBytes` bytes; the last one is smaller. */
function inParts(partBytes: number, sendPart: (part: Buffer) => Promise<void>): Writable {
  let chunks: Buffer[] = [];
  let size = 0;
  const send = callbackify(() => {
    const part = Buffer.concat(chunks);
    chunks = [];
    size = 0;
    return sendPart(part);
  });
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      size += chunk.length;
      if (size < partBytes) done();
      else send(done);
    },
    final(done) {
      if (size === 0) done();
      else send(done);
    },
  });
}
