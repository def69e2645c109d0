import { sendByFetch } from "../browser/fetch-transport.ts";
import { watchPage } from "../browser/page-errors.ts";
import { debugMeta } from "../core/debug-images.ts";
import { createRecent } from "../core/occurrences.ts";
import type { CaptureDetails } from "../core/options.ts";
import { assemble, type Reporter } from "../core/reporter.ts";
import { attempt, filled } from "../core/safe.ts";
import { target } from "../core/target.ts";
import type { FetchOptions } from "./options.ts";
import { runtime } from "./runtime.ts";

/** Creates a reporter that is independent of the one that `init` creates. Never throws. */
export function createReporter(options: FetchOptions = {}): Reporter {
  return attempt(() => start(options ?? {})) ?? start({ enabled: false });
}

function start(options: FetchOptions): Reporter {
  const { enabled = true, captureGlobalErrors = true, framework } = options;
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
  // eslint-disable-next-line no-console -- the only log that every runtime has
  const write = options.log ?? console.warn;
  const log = (line: string) => attempt(() => write && write(`[signalbox] ${line}`));
  const address = target(options, {
    url: env["SIGNALBOX_URL"],
    project: env["SIGNALBOX_PROJECT"],
    key: env["SIGNALBOX_KEY"],
    token: env["SIGNALBOX_TOKEN"],
    dsn: env["SIGNALBOX_DSN"],
  });
  if (enabled && typeof address === "string") log(`nothing will be sent: ${address}`);
  const environment =
    filled(options.environment) ?? filled(env["SIGNALBOX_ENVIRONMENT"]) ?? filled(env["NODE_ENV"]);
  const release = filled(options.release) ?? filled(env["SIGNALBOX_RELEASE"]);
  const undo: (() => void)[] = [];
  const { reporter } = assemble<CaptureDetails>(
    enabled && typeof address !== "string" ? address : undefined,
    { ...options, environment, release },
    {
      now: () => performance.now(),
      timer,
      random: Math.random,
      repeated: createRecent(() => performance.now()),
      log,
      transport: options.transport ?? sendByFetch,
      facts: (details, trace) => ({
        runtime: runtime(),
        framework: details.framework ?? framework,
        debug_meta: debugMeta(trace),
      }),
    },
    undo,
  );
  if (enabled && captureGlobalErrors) undo.push(...watchPage(reporter.captureOnce));
  return reporter;
}

function timer(ms: number, run: () => void): () => void {
  const id = setTimeout(run, ms);
  // Only requests may keep a script alive, not timers for a minute or a pause.
  if (ms >= 1000) unref(id);
  return () => clearTimeout(id);
}

/** Unrefs a timer. Node and Bun return an object, Deno a number; other runtimes have no process that could end. */
function unref(id: unknown) {
  const { Deno } = globalThis as { Deno?: { unrefTimer(id: unknown): void } };
  if (typeof id === "number") Deno?.unrefTimer(id);
  else (id as { unref?: () => void } | undefined)?.unref?.();
}
