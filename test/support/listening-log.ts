import { pino, type Logger } from "pino";

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
  /** The first line that contains the text, as soon as there is one. */
  const line = (text: string) =>
    new Promise<string>((found) => {
      const known = lines.find((line) => line.includes(text));
      if (known === undefined) waiting.push({ text, found });
      else found(known);
    });
  return { log, line, lines };
}
