import type { IngestDestination } from "../sending/target.ts";

/** The set-up of unmodified OpenTelemetry SDKs. Only the variables differ from their own documentation. */

/** For a shell. `signal` is what the program sends: Go's log records have no stack traces, so Go sends spans. */
const variables = ({ url, key, project }: IngestDestination, signal: "logs" | "traces") =>
  `export OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT="${url}/api/projects/${project.key}/otlp/v1/${signal}"
export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer ${key}"`;

const node = `// npm install @opentelemetry/sdk-node @opentelemetry/api
import { logs, SeverityNumber } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

new NodeSDK().start();

try {
  placeOrder();
} catch (exception) {
  logs.getLogger("shop").emit({ severityNumber: SeverityNumber.ERROR, exception });
}`;

const python = `# pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
import logging
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

provider = LoggerProvider()
provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
logging.getLogger().addHandler(LoggingHandler(logger_provider=provider))

try:
    place_order()
except Exception:
    logging.exception("The order failed")`;

const java = `// io.opentelemetry:opentelemetry-sdk-extension-autoconfigure and opentelemetry-exporter-otlp
OpenTelemetry telemetry = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();

try {
  placeOrder();
} catch (Exception exception) {
  telemetry.getLogsBridge().get("shop").logRecordBuilder()
      .setSeverity(Severity.ERROR).setException(exception).emit();
}`;

const go = `// go get go.opentelemetry.io/otel/sdk go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp
exporter, err := otlptracehttp.New(ctx)
if err != nil {
	log.Fatal(err)
}
provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
defer provider.Shutdown(ctx)

ctx, span := provider.Tracer("shop").Start(ctx, "place order")
defer span.End()
if err := placeOrder(ctx); err != nil {
	span.RecordError(err, trace.WithStackTrace(true))
}`;

export type OtelLanguage = { name: string; variables: string; code: string };

export const otelLanguages = (target: IngestDestination): OtelLanguage[] => [
  { name: "Node.js", variables: variables(target, "logs"), code: node },
  { name: "Python", variables: variables(target, "logs"), code: python },
  {
    name: "Java",
    variables: `${variables(target, "logs")}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`,
    code: java,
  },
  { name: "Go", variables: variables(target, "traces"), code: go },
];
