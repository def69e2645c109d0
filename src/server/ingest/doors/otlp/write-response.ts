import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { FastifyReply, FastifyRequest } from "fastify";
import { describeError } from "../../../answers/errors.ts";
import type { Export, Signal } from "../../read/otlp/read-export.ts";

export const JSON_TYPE = "application/json";
export const PROTOBUF = "application/x-protobuf";

export const isProtobuf = ({ headers }: FastifyRequest): boolean =>
  headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() === PROTOBUF;

/** Responds in the encoding of the request. Without rejected records, the response is an empty message. */
export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  signal: Signal,
  { rejected, tooLarge }: Pick<Export, "rejected" | "tooLarge">,
): FastifyReply {
  const count = rejected + tooLarge;
  const message = [
    rejected > 0 && "exception.type, exception.message and exception.stacktrace must be strings.",
    tooLarge > 0 && "An exception may have at most 1 MiB.",
  ]
    .filter(Boolean)
    .join(" ");
  if (isProtobuf(request)) {
    const writer = new BinaryWriter();
    // The only field is a message with the number of rejected records or spans, and the reason.
    if (count > 0)
      writer
        .tag(1, WireType.LengthDelimited)
        .fork()
        .tag(1, WireType.Varint)
        .int64(count)
        .tag(2, WireType.LengthDelimited)
        .string(message)
        .join();
    return reply.type(PROTOBUF).send(Buffer.from(writer.finish()));
  }
  const name = signal === "logs" ? "rejectedLogRecords" : "rejectedSpans";
  const partialSuccess = { [name]: String(count), errorMessage: message };
  return reply.type(JSON_TYPE).send(count > 0 ? { partialSuccess } : {});
}

/** Turns every exception into the response that the protocol expects: a `Status` with a message, in the request's encoding. */
export function answerOtlpError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = describeError(error, request);
  void reply.code(status).headers(headers);
  if (!isProtobuf(request)) return reply.send(body);
  const writer = new BinaryWriter();
  // Field 1 is a code, which clients ignore.
  writer.tag(2, WireType.LengthDelimited).string((body as { message: string }).message);
  return reply.type(PROTOBUF).send(Buffer.from(writer.finish()));
}
