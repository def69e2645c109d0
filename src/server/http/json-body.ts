import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { badRequest, unsupportedType } from "../answers/errors.ts";
import { clientAddress } from "./client-address.ts";
import { expectBody } from "./pump-body.ts";
import { readBytes } from "./read-body.ts";
import { SILENT_MS } from "./silent-connections.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route reads its body itself, whatever its content type. */
    readsBody?: boolean;
  }
}

/** Maximum size in bytes of all JSON bodies except error events. */
export const MAX_JSON_BYTES = 2 * 1_048_576;

/** Parses JSON bodies in all routes. An empty body counts as no body, and unknown keys such as `__proto__` are harmless. */
export function readJsonBodies(app: FastifyInstance, silentMs = SILENT_MS) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, stream: IncomingMessage) => {
    if (request.headers["content-encoding"] !== undefined)
      throw unsupportedType("A compressed body is not supported here.");
    return parseJson(await readBytes(stream, MAX_JSON_BYTES));
  });
  // Not an onRequest hook, because this check must come after the guard.
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const hasType =
      request.headers["content-type"] !== undefined || request.routeOptions.config.readsBody === true;
    if (hasType)
      expectBody(request.raw, { response: reply.raw, silentMs, address: () => clientAddress(request) });
    const hasBody = Number(request.headers["content-length"] ?? 0) > 0;
    done(!hasType && hasBody ? unsupportedType("Send a content type, such as application/json.") : null);
  });
}

/**
 * Validators cannot distinguish a body of `null` from no body, which counts as an empty object. They reject this instead.
 */
const NULL_BODY: readonly unknown[] = [];

/** Returns undefined if there are no bytes. 400 if they are not JSON in UTF-8. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (bytes.length > CHECK_NESTING_ABOVE && nestsDeeperThan(bytes, MAX_NESTING))
    throw badRequest("The body is nested too deeply.");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) ?? NULL_BODY;
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** No body of the API nests deeper than five levels. */
const MAX_NESTING = 1_000;
/** Smaller bodies are parsed quickly, however deep they nest. */
const CHECK_NESTING_ABOVE = 64 * 1024;

/** Parsing 2 MiB of brackets blocks the process for half a second; this scan takes milliseconds. */
function nestsDeeperThan(bytes: Buffer, max: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) inString = !inString;
    else if (inString) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (depth > max) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
