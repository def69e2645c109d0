import { z } from "zod";

/** OTLP's requests and responses in JSON. The messages are OpenTelemetry's own, so only what is nested in them is described. */

const exported = (description: string) => z.looseObject({}).meta({ description });

export const exportLogsRequest = exported(
  "OTLP’s `ExportLogsServiceRequest`: `resourceLogs`, with `scopeLogs`, with `logRecords`.",
);
export const exportTraceRequest = exported(
  "OTLP’s `ExportTraceServiceRequest`: `resourceSpans`, with `scopeSpans`, with `spans`.",
);

const errorMessage = z.string();
/** A 64-bit number, which OTLP writes as text. */
const rejected = z.string().regex(/^\d+$/);

/** `partialSuccess` is missing unless records were invalid. */
export const exportLogsAnswer = z.strictObject({
  partialSuccess: z.strictObject({ rejectedLogRecords: rejected, errorMessage }).optional(),
});

/** `partialSuccess` is missing unless spans were invalid. */
export const exportTraceAnswer = z.strictObject({
  partialSuccess: z.strictObject({ rejectedSpans: rejected, errorMessage }).optional(),
});

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const exception = [
  text("exception.type", "PaymentError"),
  text("exception.message", "The card was declined"),
  text("exception.stacktrace", "PaymentError: The card was declined\n    at pay (/app/shop.js:12:9)"),
];
const resource = { attributes: [text("service.name", "shop"), text("service.version", "4.2.1")] };
const ids = { traceId: "5b8efff798038103d269b633813fc60c", spanId: "eee19b7ec3c1b174" };
const timeUnixNano = "1795600000000000000";

/** Examples for the API reference. */
export const otlpExamples = {
  ExportLogsRequest: {
    schema: exportLogsRequest,
    example: {
      resourceLogs: [
        {
          resource,
          scopeLogs: [{ logRecords: [{ timeUnixNano, severityNumber: 17, ...ids, attributes: exception }] }],
        },
      ],
    },
  },
  ExportTraceRequest: {
    schema: exportTraceRequest,
    example: {
      resourceSpans: [
        {
          resource,
          scopeSpans: [
            {
              spans: [
                {
                  ...ids,
                  name: "POST /pay",
                  events: [{ timeUnixNano, name: "exception", attributes: exception }],
                },
              ],
            },
          ],
        },
      ],
    },
  },
  ExportLogsAnswer: { schema: exportLogsAnswer, example: {} },
  ExportTraceAnswer: { schema: exportTraceAnswer, example: {} },
};
