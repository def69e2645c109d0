import type { Platform } from "../core/platform.ts";
import { assemble, type Reporter } from "../core/reporter.ts";
import { attempt, filled } from "../core/safe.ts";
import { target } from "../core/target.ts";
import { createDiskStore } from "./disk-store.ts";
import { createFacts } from "./facts.ts";
import { createHttpTransport } from "./http-transport.ts";
import { watchExit } from "./on-exit.ts";
import type { NodeCaptureDetails, ReporterOptions } from "./options.ts";
import { createPostponed } from "./postponed.ts";
import { watchProcess } from "./process-errors.ts";
import { detectRelease } from "./release.ts";

/** A reporter in Node. */
export interface NodeReporter extends Reporter<NodeCaptureDetails> {
  /**
   * Waits with `capture` until the caller calls the function this answers, or until the reporter is flushed. For
   * integrations that want the status of a response.
   */
  postpone: (capture: () => void) => () => void;
}

/** Time and chance, which tests replace. */
type Clock = Pick<Platform, "now" | "timer" | "deadline" | "random">;

/**
 * A reporter of its own, beside or instead of the one that `init` makes. Never throws: without an address, a project
 * and a token it says so in the log and sends nothing.
 */
export function createReporter(options: ReporterOptions = {}): NodeReporter {
  return startReporter(options, realClock);
}

/** createReporter with a clock of the caller's. */
export function startReporter(options: ReporterOptions, clock: Clock): NodeReporter {
  const { env } = process;
  const log = createLog(options.log);
  const found = target(
    options.url ?? env["SIGNALBOX_URL"],
    options.project ?? env["SIGNALBOX_PROJECT"],
    options.token ?? env["SIGNALBOX_TOKEN"],
  );
  const address = options.enabled === false || typeof found === "string" ? undefined : found;
  if (options.enabled !== false && typeof found === "string") log(`nothing will be sent: ${found}`);

  const store =
    address && options.offlineDir ? openStore(options.offlineDir, options.maxQueued ?? 100, log) : undefined;
  const environment =
    filled(options.environment) ?? filled(env["SIGNALBOX_ENVIRONMENT"]) ?? filled(env["NODE_ENV"]);
  const release = filled(options.release) ?? attempt(() => detectRelease(env));
  const undo: (() => void)[] = [];
  const { postpone, settle } = createPostponed();
  const { reporter, delivery } = assemble<NodeCaptureDetails>(
    address,
    { ...options, environment, release },
    {
      ...clock,
      log,
      transport: options.transport ?? createHttpTransport(),
      facts: createFacts(options, log),
      keep: (one) => (one.key ??= store?.keep(one.event)),
      forget: ({ key }) => key && store?.remove(key),
    },
    undo,
  );

  if (address) {
    for (const { event, key } of attempt(() => store?.take()) ?? []) delivery.add(event, key);
    if (options.captureProcessErrors !== false) undo.push(watchProcess(reporter.captureOnce));
    const deadlineMs = options.exitDeadlineMs ?? 2000;
    if (deadlineMs > 0 || store) {
      undo.push(watchExit(delivery, { deadlineMs, blocking: !options.transport, settle, store, log }));
    }
  }
  return {
    ...reporter,
    postpone,
    flush(deadlineMs) {
      settle();
      return reporter.flush(deadlineMs);
    },
    async close(deadlineMs) {
      settle();
      const drained = await reporter.close(deadlineMs);
      attempt(() => store?.release(delivery.pending.map((one) => one.key ?? store.keep(one.event))));
      return drained;
    },
  };
}

const realClock: Clock = {
  now: () => performance.now(),
  timer: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  deadline: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

function createLog(given: ReporterOptions["log"]): (line: string) => void {
  // eslint-disable-next-line no-console -- unlike a write to stderr, the console survives a closed pipe
  const write = given ?? ((line: string) => console.warn(line));
  return (line) => attempt(() => write && write(`[signalbox] ${line}`));
}

function openStore(folder: string, maxEvents: number, log: (line: string) => void) {
  try {
    return createDiskStore(folder, maxEvents);
  } catch (error) {
    log(`no events are kept on disk: ${(error as Error).message}`);
    return undefined;
  }
}
