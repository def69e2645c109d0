import type { IncomingMessage } from "node:http";
import { z } from "zod";
import {
  exportLogsAnswer,
  exportLogsRequest,
  exportTraceAnswer,
  exportTraceRequest,
} from "../../../../shared/otlp.ts";
import type { Api } from "../../../access/context.ts";
import { REFUSALS, type Refusal } from "../../../answers/operation.ts";
import { countRefusals } from "../../../errors/usage/count-refusals.ts";
import { requireLightEncoding, streamBody } from "../../../http/read-body.ts";
import { EVENT_NEEDS } from "../event-needs.ts";
import { LARGE } from "../../event-reader.ts";
import { readExport, type Signal } from "../../read/otlp/read-export.ts";
import { storeExceptions, type OtlpIntake } from "./store-exceptions.ts";
import { answerOtlpError, isProtobuf, JSON_TYPE, PROTOBUF, sendResult } from "./write-response.ts";

const DESCRIPTION =
  "Receives what the OTLP exporter of an OpenTelemetry SDK sends over HTTP, in JSON or Protobuf, which may be compressed with gzip. A 200 means that the exceptions are committed.";

/** Declares a response that is sent in the encoding of its request. */
const inBothEncodings = (schema: z.ZodType) => ({
  content: { [JSON_TYPE]: { schema }, [PROTOBUF]: { schema: z.unknown() } },
});

const STATUSES: readonly Refusal[] = [400, 401, 403, 404, 408, 413, 415, 422, 429, 500, 503];

const REFUSALS_IN_BOTH = Object.fromEntries(
  STATUSES.map((status) => [status, inBothEncodings(REFUSALS[status])]),
);

const PROTOBUF_BODY = { [PROTOBUF]: z.unknown() };

const MIB = 1_048_576;

/** Bytes of a body as sent and after decompression. */
const LIMITS = { sent: 20 * MIB, decompressed: 100 * MIB };

/**
 * Exceptions from OpenTelemetry. Needs a scope of its own, because its bodies may be compressed, larger than others and in Protobuf, in
 * which errors are then written, too.
 */
export function otlpRoutes(api: Api, intake: OtlpIntake) {
  api.setErrorHandler(answerOtlpError);
  countRefusals(api, intake.usage);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser([JSON_TYPE, PROTOBUF], (_request: unknown, stream: IncomingMessage) =>
    readBody(stream),
  );

  const receive = (signal: Signal, schema: object) =>
    api.post<{ Body: Buffer | undefined }>(
      `/api/projects/:projectId/otlp/v1/${signal}`,
      {
        config: {
          needs: EVENT_NEEDS.needs,
          feature: EVENT_NEEDS.feature,
          projectToken: EVENT_NEEDS.projectToken,
          area: EVENT_NEEDS.area,
          limit: "ingest",
          countsEvents: true,
          ingestKey: true,
          crossOrigin: "always",
          tokenOnly: true,
        },
        schema,
      },
      async (request, reply) => {
        const { body = Buffer.alloc(0), project } = request;
        const encoding = { signal, isProtobuf: isProtobuf(request) };
        const isLarge = body.length > LARGE.otlp;
        const sent = isLarge
          ? await intake.reader.readExport(body, encoding, project.id)
          : readExport(body, encoding);
        if (sent.exceptions.length > 0) await storeExceptions(intake, sent.exceptions, { request, reply });
        intake.usage.add(project.id, "discarded", sent.discarded);
        intake.usage.add(project.id, "duplicate", sent.repeated);
        intake.usage.add(project.id, "invalid", sent.rejected + sent.tooLarge);
        return sendResult(request, reply, signal, sent);
      },
    );

  receive("logs", {
    operationId: "exportLogs",
    summary: "Send exceptions in OpenTelemetry logs",
    description: `${DESCRIPTION} Log records with \`exception.type\` or \`exception.message\` become error events; others are counted and not stored.`,
    reads: { [JSON_TYPE]: exportLogsRequest, ...PROTOBUF_BODY },
    response: { 200: inBothEncodings(exportLogsAnswer), ...REFUSALS_IN_BOTH },
  });
  receive("traces", {
    operationId: "exportTraces",
    summary: "Send exceptions in OpenTelemetry spans",
    description: `${DESCRIPTION} Events of spans that are named \`exception\` become error events; everything else is counted and not stored.`,
    reads: { [JSON_TYPE]: exportTraceRequest, ...PROTOBUF_BODY },
    response: { 200: inBothEncodings(exportTraceAnswer), ...REFUSALS_IN_BOTH },
  });
}

async function readBody(stream: IncomingMessage): Promise<Buffer> {
  requireLightEncoding(stream);
  const chunks: Buffer[] = [];
  await streamBody(stream, LIMITS, (chunk) => chunks.push(chunk) > 0);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
