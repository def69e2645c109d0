import type { IncomingMessage, ServerResponse } from "node:http";
import { allowsOrigin } from "../../access/allows-origin.ts";
import { knownIngestKey, type IngestKey } from "../../access/find-ingest-key.ts";
import { noteKeyUse } from "../../access/note-key-use.ts";
import type { Db } from "../../db/connect.ts";
import type { DirectAnswer } from "../../http/answer-directly.ts";
import { corsHeaders } from "../../http/cross-origin.ts";
import type { Metrics } from "../../http/metrics.ts";
import type { UsageCounter } from "../../record/usage-counter.ts";
import { EnvelopeParser } from "./envelope-parser.ts";

type Options = {
  db: Db;
  usage: UsageCounter;
  metrics: Metrics;
  /** Of every response. */
  headers: Record<string, string>;
  /** Answers what remains. */
  route: (request: IncomingMessage, response: ServerResponse) => void;
};

/**
 * Answers envelopes of which nothing is used before the router, whose hooks would take most of their time: about half of
 * what SDKs send. Only if the body has arrived together with the headers and is not compressed, and the key was looked up
 * within the last second. In all other cases the route answers, and reads the body as if nothing had happened.
 */
export const answerUnused =
  ({ db, usage, metrics, headers, route }: Options): DirectAnswer =>
  (request, response) => {
    const sender = senderOf(db, request);
    if (!sender) return false;
    const began = performance.now();
    // By then, the parser has read everything that arrived together with the headers.
    setImmediate(() => {
      const unused = readUnused(request);
      if (unused === undefined) return route(request, response);
      usage.add(sender.key.projectId, "discarded", unused);
      noteKeyUse(db, sender.key.id);
      response.writeHead(200, { ...headers, ...sender.headers, ...ANSWER }).end("{}");
      const labels = { method: "POST", route: `/api/:projectId/envelope${sender.slash}`, status: "2xx" };
      metrics.request(labels, (performance.now() - began) / 1000);
    });
    return true;
  };

const ANSWER = { "content-type": "application/json; charset=utf-8", "content-length": "2" };

const ADDRESS = /^\/api\/(\d{1,16})\/envelope(\/?)\?(?:[^#]*?&)?sentry_key=([0-9a-f]{32})(?:&|$)/;

type Sender = { key: IngestKey; slash: string; headers: Record<string, string> };

/** Undefined if the request cannot be answered early. */
function senderOf(db: Db, { method, url = "", headers }: IncomingMessage): Sender | undefined {
  if (method !== "POST" || headers.host === undefined || headers["content-encoding"] !== undefined)
    return undefined;
  const [, projectId, slash = "", text = ""] = ADDRESS.exec(url) ?? [];
  const key = projectId === undefined ? undefined : knownIngestKey(db, text);
  if (!key?.isActive || projectId !== String(key.projectId)) return undefined;
  const { origin } = headers;
  if (!allowsOrigin(key.allowedOrigins, origin)) return undefined;
  return { key, slash, headers: corsHeaders(origin, key.allowedOrigins) };
}

/** The number of items if none of them is used; else the body remains to be read. */
function readUnused(request: IncomingMessage): number | undefined {
  if (!request.complete || request.readableLength === 0) return undefined;
  const body = request.read() as Buffer;
  const unused = countUnused(body);
  if (unused === undefined) request.unshift(body);
  return unused;
}

function countUnused(body: Buffer): number | undefined {
  const first = body.indexOf("\n") + 1;
  const end = body.indexOf("\n", first);
  // Spares most envelopes with an event that they are parsed twice.
  if (body.subarray(first, end === -1 ? body.length : end).includes('"event"')) return undefined;
  try {
    const parser = new EnvelopeParser();
    parser.add(body);
    const { events, feedback, userReports, skipped } = parser.end();
    return events.length + feedback.length + userReports.length > 0 ? undefined : skipped;
  } catch {
    return undefined;
  }
}
