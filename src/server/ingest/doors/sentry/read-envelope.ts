import type { IncomingMessage } from "node:http";
import { badRequest } from "../../../answers/errors.ts";
import { reserveInFlight } from "../../../http/bytes-in-flight.ts";
import { expectedBody } from "../../../http/pump-body.ts";
import { streamBody } from "../../../http/read-body.ts";
import { EnvelopeParser, type Envelope } from "./envelope-parser.ts";
import { jsonOf } from "./json-of.ts";

const MIB = 1_048_576;

/** Bytes of a body as sent, and of a whole envelope after decompression. */
const LIMITS = { sent: 20 * MIB, decompressed: 100 * MIB };

/** Bytes of a single event. */
const EVENT_LIMITS = { sent: MIB, decompressed: MIB };

/**
 * Reads the envelope in the body. `admit` gets its header after the first chunk and may reject the rest, because a few hundred
 * bytes can decompress to 100 MiB. 400 if the envelope is malformed, 413 if it or an item is too large, 415 for an unknown
 * encoding.
 */
export async function readEnvelope<Key>(
  request: IncomingMessage,
  admit: (header: Envelope["header"]) => Promise<Key>,
): Promise<{ envelope: Envelope; key: Key }> {
  const parser = new EnvelopeParser();
  let admitted: Promise<Key> | undefined;
  await streamBody(request, LIMITS, (chunk) => {
    const isKept = parser.add(chunk);
    if (admitted || !parser.hasHeader) return isKept;
    admitted = admit(parser.envelope.header);
    return admitted.then(() => isKept);
  });
  const envelope = parser.end();
  return { envelope, key: await (admitted ?? admit(envelope.header)) };
}

/** Reads a body that is a single event or report, and returns its JSON. 400 if it is empty. */
export async function readSingle(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await streamBody(request, EVENT_LIMITS, (chunk) => chunks.push(chunk) > 0);
  if (chunks.length === 0) throw badRequest("The body is empty.");
  const body = Buffer.concat(chunks);
  const json = jsonOf(body);
  if (json !== body) reserveInFlight(json.length, expectedBody(request).response);
  return json;
}
