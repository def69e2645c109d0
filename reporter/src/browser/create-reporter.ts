import { debugMeta } from "../core/debug-images.ts";
import { createRecent } from "../core/occurrences.ts";
import type { CaptureDetails } from "../core/options.ts";
import { assemble, type Reporter } from "../core/reporter.ts";
import { attempt } from "../core/safe.ts";
import { jsonHeaders, target } from "../core/target.ts";
import { sendByFetch } from "./fetch-transport.ts";
import { listen } from "./listen.ts";
import type { BrowserOptions } from "./options.ts";
import { page } from "./page.ts";
import { watchPage } from "./page-errors.ts";

/** Creates a reporter that is independent of the one that `init` creates. Never throws. */
export function createReporter(options: BrowserOptions): Reporter {
  return attempt(() => start(options || {})) ?? start({ enabled: false });
}

function start(options: BrowserOptions): Reporter {
  const { endpoint, framework, enabled = true, capturePageErrors = true } = options;
  // eslint-disable-next-line no-console -- developers see the console
  const write = options.log ?? console.warn;
  const log = (line: string) => attempt(() => write && write(`[signalbox] ${line}`));
  const resolved = endpoint ? { url: endpoint, headers: jsonHeaders(options.token) } : target(options);
  const address = enabled && typeof resolved !== "string" ? resolved : undefined;
  if (enabled && typeof resolved === "string") log(`nothing will be sent: ${resolved}`);
  const undo: (() => void)[] = [];
  const { reporter, delivery } = assemble<CaptureDetails>(
    address,
    { ...options, beforeSend: withoutPageAddress(options.beforeSend) },
    {
      now: () => performance.now(),
      timer(ms, run) {
        const id = setTimeout(run, ms);
        return () => clearTimeout(id);
      },
      random: Math.random,
      repeated: createRecent(() => performance.now()),
      log,
      transport: options.transport ?? sendByFetch,
      accepted: (event) => (page.__SIGNALBOX__ = { release: options.release, lastEventId: event.event_id }),
      facts: (details) => ({ runtime: browser(), framework: details.framework ?? framework }),
    },
    undo,
  );
  if (address) {
    page.__SIGNALBOX__ = { release: options.release };
    if (capturePageErrors) undo.push(...watchPage(reporter.captureOnce, options.filterNoise));
    void import("./later.ts")
      .then(({ startLater }) => undo.push(...startLater(reporter.addBreadcrumb, options, address, log)))
      // Without the file, events have no recorded breadcrumbs.
      .catch(() => {});
    // On phones this is the last reliable event; a hidden page's timers may never run again.
    const hide = () => page.document?.visibilityState === "hidden" && delivery.sendNow();
    undo.push(listen(page.document, "visibilitychange", hide), listen(page, "pagehide", hide));
  }
  return reporter;
}

/** Frames of inline scripts contain the page's address, which may identify the user. */
function withoutPageAddress(beforeSend: BrowserOptions["beforeSend"]): BrowserOptions["beforeSend"] {
  const address = page.location && `${page.location.href.replace(/[?#].*/, "")}:`;
  return (event, error) => {
    for (const exception of [event, ...(event.previous_exceptions ?? [])]) {
      if (address) exception.stack_trace = exception.stack_trace.replaceAll(address, "<page>:");
    }
    // Of the trace as it is sent: the page's address must not be among the files.
    event.debug_meta = debugMeta(event.stack_trace);
    return beforeSend?.(event, error);
  };
}

/** Edge's user agent names Chrome before Edge; Safari's has its version after "Version". */
const names: Record<string, string> = { Edg: "Edge", Version: "Safari" };

function browser(): { name: string; version: string } | undefined {
  const found = [...(page.navigator?.userAgent ?? "").matchAll(/(Firefox|Edg|Chrome|Version)\/([\d.]+)/g)].at(
    -1,
  );
  return found && { name: names[found[1]!] ?? found[1]!, version: found[2]! };
}
