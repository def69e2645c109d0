import type { CaptureDetails } from "./options.ts";
import type { Reporter } from "./reporter.ts";

/** What `init` made, in Node or in a browser; a browser's takes no user's id and postpones nothing. */
export interface AnyReporter extends Reporter<CaptureDetails & { userId?: string | number | undefined }> {
  postpone?: (capture: () => void) => () => void;
}

/** One for the whole program, also where the ES module and the CommonJS build are both loaded. */
const place = Symbol.for("@signalbox/reporter");
const holder = globalThis as { [place]?: AnyReporter | undefined };

/** The reporter that `init` made, if any. */
export function currentReporter(): AnyReporter | undefined {
  return holder[place];
}

export function setCurrentReporter(reporter: AnyReporter): void {
  void holder[place]?.close(0);
  holder[place] = reporter;
}
