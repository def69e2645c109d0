const INTERVAL_MS = 200;

/** A progress line on stderr that each update overwrites. Prints nothing unless stderr is a terminal. */
export type Progress = { update(line: string): void; end(): void };

export function showProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  if (!output.isTTY) return { update: () => {}, end: () => {} };
  let last = 0;
  return {
    update: (line) => {
      const now = performance.now();
      if (now - last < INTERVAL_MS) return;
      last = now;
      output.write(`\r\u001b[K${line.slice(0, Math.max(20, output.columns - 1))}`);
    },
    end: () => output.write("\r\u001b[K"),
  };
}
