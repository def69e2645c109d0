import { S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "../../config/storage-url.ts";

const CONNECT_MS = 5_000;

/** `silentMs`: how long a request may go without a byte sent or received. */
export function makeS3Client({ endpoint, region, credentials }: S3Settings, silentMs: number): S3Client {
  return new S3Client({
    region,
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
    // S3-compatible stores rarely support a host name per bucket or the newest checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
    // Errors are thrown and logged by the caller.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  });
}
