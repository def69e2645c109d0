import { destination, pino, stdSerializers, stdTimeFunctions, type Logger } from "pino";
import pretty from "pino-pretty";

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

/** Leaves out the details of database errors, which quote rows and parameters: users' data. */
function errorWithoutData(error: Error): Record<string, unknown> {
  const { type, message, stack, code, constraint, table } = stdSerializers.err(error) as Record<
    string,
    unknown
  >;
  return { type, message, stack, code, constraint, table };
}
