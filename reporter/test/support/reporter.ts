import type { ReporterOptions } from "../../src/index.ts";
import { startReporter } from "../../src/node/create-reporter.ts";
import { testClock } from "./clock.ts";
import type { RecordingServer } from "./recording-server.ts";

/** A reporter that sends to `server`, with a test clock and recorded log lines. */
export function testReporter(server: Pick<RecordingServer, "url">, options: ReporterOptions = {}) {
  const clock = testClock();
  const lines: string[] = [];
  const reporter = startReporter(
    {
      url: server.url,
      project: 7,
      token: "token",
      environment: "test",
      release: "1.4.2",
      captureProcessErrors: false,
      exitDeadlineMs: 0,
      log: (line) => void lines.push(line),
      ...options,
    },
    clock,
  );
  return { reporter, clock, lines };
}
