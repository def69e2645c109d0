import { destination, pino, stdSerializers, stdTimeFunctions, type Logger } from "pino";
import pretty from "pino-pretty";

/**
 * JSON lines, or pretty on a terminal. What could be a secret under a known name never appears. `output` 2 is stderr,
 * for commands whose answer goes to stdout.
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
  if (!(output === 1 ? process.stdout : process.stderr).isTTY)
    return pino(
      {
        ...options,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      destination(output),
    );
  return pino(
    options,
    pretty({ destination: output, sync: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" }),
  );
}

/** A database error quotes rows and parameters, which are people's data. */
function errorWithoutData(error: Error): Record<string, unknown> {
  const { type, message, stack, code, constraint, table } = stdSerializers.err(error) as Record<
    string,
    unknown
  >;
  return { type, message, stack, code, constraint, table };
}
