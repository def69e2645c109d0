import type { Described } from "./describe-request.ts";
import type { Reporter } from "./reporter.ts";

/** The reporter of Node or of a browser. A browser's reporter ignores `userId` and has no `postpone`. */
export interface AnyReporter extends Reporter<Described> {
  postpone?: (capture: () => void) => () => void;
  runInScope?: <Result>(subject: object, details: () => Described, run: () => Result) => Result;
}

/** Registered globally, so the ES module and the CommonJS build share one reporter when a program loads both. */
const slot = Symbol.for("@signalbox/reporter");
const holder = globalThis as { [slot]?: AnyReporter | undefined };

/** The reporter that `init` created, if any. */
export function currentReporter(): AnyReporter | undefined {
  return holder[slot];
}

export function setCurrentReporter(reporter: AnyReporter): void {
  // Not `close`, so that the replaced reporter still sends its queue.
  holder[slot]?.retire();
  holder[slot] = reporter;
}
