import { pino, type Logger } from "pino";
import { DEADLINE } from "./eventually.ts";

/** A log whose lines a test can read and wait for. */
export function listeningLog() {
  const lines: string[] = [];
  const waiting: { text: string; found: (line: string) => void }[] = [];
  const log: Logger = pino(
    { level: "info" },
    {
      write: (line) => {
        lines.push(line);
        for (const { text, found } of waiting) if (line.includes(text)) found(line);
      },
    },
  );
  /** The first line that contains the text, as soon as there is one; fails with all lines after a minute. */
  const line = (text: string) => {
    const known = lines.find((line) => line.includes(text));
    if (known !== undefined) return Promise.resolve(known);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      reject(new Error(`"${text}" was not logged:\n${lines.join("")}`));
    }, DEADLINE).unref();
    waiting.push({ text, found: resolve });
    return promise.finally(() => clearTimeout(timer));
  };
  return { log, line, lines };
}
