import { inflateSync } from "node:zlib";
import { tooLarge } from "../../../answers/errors.ts";

const MAX_BYTES = 1_048_576;

const BASE64 = /^[\w+/=\s-]+$/;

/**
 * The JSON of an event or report. Clients from before 2018 encode it in Base64, usually compressed with zlib, without a header
 * that says so. Anything else is returned unchanged. 413 if it is too large after decompression.
 */
export function jsonOf(body: Buffer): Buffer {
  if (!BASE64.test(body.toString("latin1", 0, 100))) return body;
  const bytes = Buffer.from(body.toString("latin1"), "base64");
  if (bytes[0] === "{".charCodeAt(0)) return bytes;
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    return body;
  }
}
