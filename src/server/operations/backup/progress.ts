const PAUSE_MS = 200;

/** Tells people how far a long command is: one line of stderr, written over; nothing when that is no terminal. */
export type Progress = { tell(line: string): void; end(): void };

export function showProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  if (!output.isTTY) return { tell: () => {}, end: () => {} };
  let last = 0;
  return {
    tell: (line) => {
      const now = performance.now();
      if (now - last < PAUSE_MS) return;
      last = now;
      output.write(`\r\u001b[K${line.slice(0, Math.max(20, output.columns - 1))}`);
    },
    end: () => output.write("\r\u001b[K"),
  };
}
