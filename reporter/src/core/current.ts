import type { CaptureDetails } from "./options.ts";
import type { Reporter } from "./reporter.ts";

/** The reporter of Node or of a browser. A browser's reporter ignores `userId` and has no `postpone`. */
export interface AnyReporter extends Reporter<CaptureDetails & { userId?: string | number | undefined }> {
  postpone?: (capture: () => void) => () => void;
}

/** Registered globally, so the ES module and the CommonJS build share one reporter when a program loads both. */
const slot = Symbol.for("@signalbox/reporter");
const holder = globalThis as { [slot]?: AnyReporter | undefined };

/** The reporter that `init` created, if any. */
export function currentReporter(): AnyReporter | undefined {
  return holder[slot];
}

export function setCurrentReporter(reporter: AnyReporter): void {
  // Not close: what the replaced reporter has queued is still sent.
  holder[slot]?.retire();
  holder[slot] = reporter;
}
