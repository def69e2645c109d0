import { createRequire } from "node:module";
import { Writable } from "node:stream";
import { pino, stdSerializers, stdTimeFunctions, type Logger, type LoggerOptions } from "pino";
import type PinoPretty from "pino-pretty";
import { LogOutput } from "./log-output.ts";

/**
 * Logs JSON lines, or readable ones on a terminal. Values of fields that may hold secrets are redacted. `output` 2 is
 * stderr, for commands that print their result on stdout.
 */
export function makeLogger(level: string, output: 1 | 2 = 1): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: ["password", "token", "authorization", "cookie", "setup_token", "connectionString"].flatMap(
        (name) => [name, `*.${name}`, `*.*.${name}`],
      ),
      censor: "[redacted]",
    },
    serializers: { err: errorWithoutData },
  };
  const lines = new LogOutput(output, (lost, cause) =>
    logger.warn({ lost, cause }, "Lines could not be written to the log."),
  );
  const logger = makePino(options, lines, output);
  return logger;
}

function makePino(options: LoggerOptions, lines: LogOutput, output: 1 | 2): Logger {
  if (!(output === 1 ? process.stdout : process.stderr).isTTY)
    return pino(
      {
        ...options,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      lines,
    );
  const destination = new Writable({
    write: (text: Buffer, _encoding, done) => {
      lines.write(text.toString());
      done();
    },
  });
  // Loaded only for a terminal.
  const pretty = createRequire(import.meta.url)("pino-pretty") as typeof PinoPretty;
  return pino(options, pretty({ destination, ignore: "pid,hostname", translateTime: "HH:MM:ss" }));
}

/** Leaves out the details of database errors, because they quote rows and parameters, which are users' data. */
function errorWithoutData(error: Error): Record<string, unknown> {
  const { type, message, stack, code, constraint, table } = stdSerializers.err(error) as Record<
    string,
    unknown
  >;
  return { type, message, stack, code, constraint, table };
}
