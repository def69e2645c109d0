import path from "node:path";
import { isInstalled, runCommand } from "./run-command.ts";
import { go, INSTALL_MS, java, node, python, versionInPackage, type Language } from "./languages.ts";
import type { Expected, Program } from "./programs.ts";

/** OpenTelemetry's SDKs. Their programs report one error per user several times: from nested spans and in a log record. */

const otelNode: Language = {
  ...node,
  name: "opentelemetry-node",
  install: async (folder) => {
    const packages = ["sdk-node", "api"].map((name) => `@opentelemetry/${name}@latest`);
    const options = ["--no-audit", "--no-fund", "--no-save", "--prefer-offline", "--loglevel=error"];
    await runCommand("npm", ["install", ...options, ...packages], { cwd: folder, timeoutMs: INSTALL_MS });
    return versionInPackage(folder, "@opentelemetry/sdk-node");
  },
};

const otelPython: Language = {
  ...python,
  name: "opentelemetry-python",
  install: async (folder) => {
    const options = { cwd: folder, timeoutMs: INSTALL_MS };
    await runCommand("python3", ["-m", "venv", "venv"], options);
    const packages = ["opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"];
    await runCommand(
      "venv/bin/pip",
      ["install", "--quiet", "--no-compile", "--upgrade", ...packages],
      options,
    );
    const version = "import importlib.metadata as m; print(m.version('opentelemetry-sdk'))";
    return (await runCommand("venv/bin/python", ["-c", version], options)).trim();
  },
};

const otelGo: Language = {
  ...go,
  name: "opentelemetry-go",
  install: async (folder) => {
    const options = { cwd: folder, timeoutMs: INSTALL_MS };
    await runCommand("go", ["mod", "init", "example.com/shop"], options);
    const modules = ["", "/sdk", "/exporters/otlp/otlptrace/otlptracehttp"];
    await runCommand(
      "go",
      ["get", ...modules.map((name) => `go.opentelemetry.io/otel${name}@latest`)],
      options,
    );
    await runCommand("go", ["build", "-o", "shop", "."], options);
    const format = ["list", "-m", "-f", "{{.Version}}", "go.opentelemetry.io/otel/sdk"];
    return (await runCommand("go", format, options)).trim();
  },
};

const otelJava: Language = {
  ...java,
  name: "opentelemetry-java",
  isAvailable: async () => (await isInstalled("javac", "-version")) && isInstalled("mvn", "--version"),
  install: async (folder) => {
    const options = { cwd: folder, timeoutMs: INSTALL_MS };
    const copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    await runCommand("mvn", ["--quiet", "--batch-mode", copy, "-DoutputDirectory=libraries"], options);
    await runCommand(
      "javac",
      ["-cp", "libraries/*:.", "-d", "classes", path.join("shop", "App.java")],
      options,
    );
    const jars = await runCommand("ls", ["libraries"], options);
    return /^opentelemetry-sdk-(\d.*)\.jar$/m.exec(jars)?.[1] ?? "unknown";
  },
};

export const OTEL_LANGUAGES = [otelNode, otelPython, otelGo, otelJava];

/** The variables that programs with OpenTelemetry's SDKs need. */
export const otelVariables = (
  target: { url: string; projectId: number; key: string },
  environment: string,
) => ({
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${target.url}/api/projects/${target.projectId}/otlp/v1/logs`,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${target.url}/api/projects/${target.projectId}/otlp/v1/traces`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${target.key}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "none",
  OTEL_SERVICE_NAME: "shop",
  OTEL_RESOURCE_ATTRIBUTES: `service.version=shop@1.4.2,host.name=web-1,deployment.environment.name=${encodeURIComponent(environment)}`,
});

const route = (pattern: string) => ({
  context: { kind: "route", name: null, method: "POST", pattern, action: null, response_status: 500 },
});

const expected: Expected = {
  exception_class: "PaymentError",
  message: /^the card was declined$/,
  frame: /^ {4}at placeOrder \(.*shop\.mjs:\d+:\d+\)$/,
  chain: [],
  ...route("/orders/:id"),
  host: "web-1",
  runtime: /^nodejs \d/,
  framework: "shop",
};

const program = (language: Language, run: string, more: Partial<Expected> = {}): Program => ({
  name: `OpenTelemetry, ${language.name.replace("opentelemetry-", "")}`,
  language,
  run,
  expected: { ...expected, ...more },
});

export const OTEL_PROGRAMS: Program[] = [
  program(otelNode, "shop.mjs"),
  program(otelPython, "app.py", {
    exception_class: "shop.PaymentError",
    frame: /^Traceback \(most recent call last\):$/,
    ...route("/orders/<id>"),
    runtime: /^(?:cpython|python) /i,
  }),
  program(otelGo, "", {
    exception_class: "*main.PaymentError",
    frame: /^goroutine \d+ \[running\]:$/,
    ...route("/orders/{id}"),
    runtime: /^go /,
  }),
  program(otelJava, "shop.App", {
    exception_class: "shop.App.PaymentException",
    frame: /^\tat shop\.App\.place\(App\.java:\d+\)$/,
    ...route("/orders/{id}"),
    runtime: /^(?:java|OpenJDK) ?/i,
  }),
];
