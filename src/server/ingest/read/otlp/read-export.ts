import { badRequest, invalid, tooLarge } from "../../../answers/errors.ts";
import { isRecord, type JsonRecord } from "../coerce.ts";
import { requireFewValues } from "../require-few-values.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";
import { ExceptionIds, type ExceptionId } from "./exception-id.ts";
import { exceptionsInLogs, exceptionsInSpans } from "./find-exceptions.ts";
import { EXPORT_LOGS_REQUEST, EXPORT_TRACE_REQUEST } from "./messages.ts";

export type Signal = "logs" | "traces";

/** How to read a body, in a form that can be sent to another thread. */
export type Encoding = { signal: Signal; isProtobuf: boolean };

export type ExportTask = { body: Uint8Array; encoding: Encoding };

/** An exception as `readOtlpEvent` expects it, and the id of its event. */
export type ExportedException = ExceptionId & { body: Uint8Array };

/** `repeated` counts exceptions that repeat others of the request, `tooLarge` the rejected ones that are too large. */
export type Export = {
  exceptions: ExportedException[];
  discarded: number;
  repeated: number;
  rejected: number;
  tooLarge: number;
};

/** SDKs send up to 512 records or spans together. */
const MAX_EXCEPTIONS = 10_000;

/** Bytes of an exception with its attributes. */
const MAX_BYTES = 1_048_576;

/** The exceptions in the body of a request. 400 if it is malformed, 413 if it has too many values or exceptions. */
export function readExport(bytes: Buffer, { signal, isProtobuf }: Encoding): Export {
  const message = signal === "logs" ? EXPORT_LOGS_REQUEST : EXPORT_TRACE_REQUEST;
  const request = isProtobuf ? decodeProtobuf(bytes, message) : parse(bytes);
  const found = signal === "logs" ? exceptionsInLogs(request) : exceptionsInSpans(request);
  if (found.exceptions.length > MAX_EXCEPTIONS)
    throw tooLarge(`A request may have at most ${MAX_EXCEPTIONS.toLocaleString("en")} exceptions.`);
  const ids = new ExceptionIds(Date.now());
  const { discarded, rejected } = found;
  const result: Export = { exceptions: [], discarded, repeated: 0, rejected, tooLarge: 0 };
  for (const each of found.exceptions) {
    const content = JSON.stringify(each.exception);
    const body = Buffer.from(content, "utf8");
    const id = body.length > MAX_BYTES ? undefined : ids.next(each, content);
    if (id === undefined) result.tooLarge++;
    else if (id === null) result.repeated++;
    else result.exceptions.push({ body, ...id });
  }
  return result;
}

/** Bytes that are not UTF-8 are replaced, so that no exception is lost because of its encoding. */
function parse(bytes: Buffer): JsonRecord {
  requireFewValues(bytes);
  const request = parseJson(bytes);
  if (!isRecord(request)) throw invalid({ body: ["must be a JSON object"] });
  return request;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}
