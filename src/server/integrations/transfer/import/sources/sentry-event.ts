import { at, isRecord, record, type JsonRecord } from "../../../../ingest/read/coerce.ts";
import { readSentryEvent } from "../../../../ingest/read/sentry/read-sentry-event.ts";
import type { ReadEvent } from "../../../../ingest/read/read-event.ts";

/**
 * Reads an event as the Sentry routes read it from an SDK, so that later events join its group. Null if it is not an event of an
 * error. `privacyRules` is the JSON of the project's active rules.
 */
export function readSentEvent(event: unknown, privacyRules: string | null): ReadEvent | null {
  if (!isRecord(event) || !hasContent(event)) return null;
  const read = readSentryEvent(event, {
    userAgent: undefined,
    origin: undefined,
    userHashSecret: NO_SECRET,
    keepDebugEvents: true,
    keepVars: false,
    privacyRules,
    inboundRules: null,
  });
  return read ? { ...read, user_hash: null } : null;
}

/** Class and message of a group without an event, as the Sentry routes would store them: without personal data. */
export function readNames(
  type: string,
  value: string,
  privacyRules: string | null,
): { exception_class: string; message: string } {
  const event = readSentEvent({ exception: { values: [{ type, value }] } }, privacyRules);
  return { exception_class: event?.exception_class ?? type, message: event?.message ?? value };
}

/** Users are not counted, so their hash is dropped. Their names and addresses are still removed from the texts. */
const NO_SECRET = new Uint8Array(32);

const hasContent = ({ exception, logentry, message, threads }: JsonRecord): boolean =>
  [exception, logentry, message, threads].some((part) => part !== undefined && part !== null);

/**
 * The event that an SDK sent, from the API's answer about it. Handles what the servers change: names in camel case, the parts of
 * an event as `entries`, frames with mapped code, and files of browsers without their origin.
 */
export function eventOfApi(answer: unknown): JsonRecord {
  const sent = record(answer);
  const entries = listOf(sent["entries"]);
  const entry = (type: string) =>
    at(
      entries.find((part) => part["type"] === type),
      "data",
    );
  const exception = sent.exception ?? entry("exception");
  const tags = tagsOf(sent.tags);
  return {
    event_id: sent.event_id ?? sent["eventID"],
    platform: sent.platform,
    level: sent.level ?? tags["level"],
    environment: sent.environment ?? tags["environment"],
    release:
      at(sent.release, "version") ?? (isRecord(sent.release) ? undefined : sent.release) ?? tags["release"],
    server_name: sent.server_name ?? tags["server_name"],
    fingerprint: sent.fingerprint,
    contexts: sent.contexts,
    user: sent.user,
    tags,
    ...(exception === undefined || exception === null
      ? {
          logentry: sent.logentry ?? entry("message"),
          message: entries.length > 0 ? undefined : sent.message,
        }
      : { exception: { values: valuesOf(exception).map(sentException) }, logentry: sent.logentry }),
    threads: { values: valuesOf(sent.threads ?? entry("threads")).map(sentException) },
  };
}

const listOf = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const valuesOf = (value: unknown): JsonRecord[] => listOf(isRecord(value) ? value.values : value);

/** Pairs, or objects with `key` and `value`. */
function tagsOf(value: unknown): Record<string, unknown> {
  const pairs = Array.isArray(value)
    ? value.map((tag: unknown) => (Array.isArray(tag) ? tag : [at(tag, "key"), at(tag, "value")]))
    : Object.entries(record(value));
  return Object.fromEntries(pairs.filter(([key]) => typeof key === "string"));
}

/** Of an exception or a thread. The raw trace is what was sent if the server has mapped it to other code. */
function sentException(exception: JsonRecord): JsonRecord {
  const raw = exception["raw_stacktrace"] ?? exception["rawStacktrace"];
  const frames = at(isRecord(raw) ? raw : exception["stacktrace"], "frames");
  return {
    ...exception,
    thread_id: exception.thread_id ?? exception["threadId"],
    stacktrace: Array.isArray(frames) ? { frames: frames.filter(isRecord).map(sentFrame) } : undefined,
  };
}

function sentFrame(frame: JsonRecord): JsonRecord {
  const absPath = frame.abs_path ?? frame["absPath"];
  return {
    ...frame,
    abs_path: absPath,
    filename: sentFile(frame.filename, absPath),
    function: frame["raw_function"] ?? frame["rawFunction"] ?? frame.function,
    lineno: frame.lineno ?? frame["lineNo"],
    colno: frame.colno ?? frame["colNo"],
    in_app: sentInApp(frame),
    ...sentContext(frame),
  };
}

/** Servers cut `https://shop.example.com/app.js?v=2` to `/app.js` and keep the whole address beside it. */
function sentFile(file: unknown, absPath: unknown): unknown {
  if (typeof file !== "string" || typeof absPath !== "string" || !file.startsWith("/")) return file;
  return /^(?:https?|file|applewebdata):/i.test(absPath) && absPath.replace(/[?#].*$/s, "").endsWith(file)
    ? absPath
    : file;
}

/** Sentry's own rules change `in_app` and keep what was sent as a number: 1, 0, or -1 for nothing. */
function sentInApp(frame: JsonRecord): unknown {
  const original = at(frame.data, "orig_in_app");
  if (original === -1) return undefined;
  return original === undefined ? (frame.in_app ?? frame["inApp"]) : original === 1;
}

/** `context` has the lines with their numbers. */
function sentContext(frame: JsonRecord): JsonRecord {
  const lines: unknown = frame["context"];
  const line = frame.lineno ?? frame["lineNo"];
  if (!Array.isArray(lines) || typeof line !== "number") return {};
  const texts = (isPart: (number: number) => boolean): unknown[] =>
    lines.flatMap((pair: unknown) =>
      Array.isArray(pair) && typeof pair[0] === "number" && isPart(pair[0]) ? [pair[1]] : [],
    );
  return {
    pre_context: texts((number) => number < line),
    context_line: texts((number) => number === line)[0],
    post_context: texts((number) => number > line),
  };
}
