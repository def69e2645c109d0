import { watchConsole } from "../core/console-breadcrumbs.ts";
import type { CaptureDetails } from "../core/options.ts";
import { fit } from "../core/fit.ts";
import { groupOf } from "../core/group.ts";
import { createOccurrences } from "../core/occurrences.ts";
import type { Platform } from "../core/platform.ts";
import { assemble, type Reporter } from "../core/reporter.ts";
import { attempt, filled, property } from "../core/safe.ts";
import { target } from "../core/target.ts";
import { createDiskStore } from "./disk-store.ts";
import { explain } from "./explain.ts";
import { createFacts } from "./facts.ts";
import { createHttpTransport } from "./http-transport.ts";
import { watchExit } from "./on-exit.ts";
import type { NodeCaptureDetails, ReporterOptions } from "./options.ts";
import { createPostponed } from "./postponed.ts";
import { watchProcess } from "./process-errors.ts";
import { watchOutgoing } from "./request-breadcrumbs.ts";
import { currentScope, runInScope, watchRequests } from "./scope.ts";
import { detectRelease } from "./release.ts";
import { validTarget } from "./valid-target.ts";

/** A reporter in Node. */
export interface NodeReporter extends Reporter<NodeCaptureDetails> {
  /**
   * Returns a function that runs `capture` once; a flush runs it if it has not run by then. For integrations that wait
   * for the status of a response.
   */
  postpone: (capture: () => void) => () => void;
  /** Runs a job. Errors, tags and breadcrumbs during the run belong to it. */
  runInScope: typeof runInScope;
}

/** Time and randomness, which tests can replace. */
type Clock = Pick<Platform, "now" | "timer" | "deadline" | "random">;

/**
 * Creates a reporter that is independent of the one that `init` creates. Never throws: if URL, project or key is
 * missing, it logs that and sends nothing. Sends nothing either if the options cannot be read.
 */
export function createReporter(options: ReporterOptions = {}): NodeReporter {
  return (
    attempt(() => startReporter(options ?? {}, realClock)) ?? startReporter({ enabled: false }, realClock)
  );
}

/** Like createReporter, with the caller's clock. */
export function startReporter(options: ReporterOptions, clock: Clock): NodeReporter {
  const { env } = process;
  const log = createLog(options.log);
  const projectTarget = target(options, {
    url: env["SIGNALBOX_URL"],
    project: env["SIGNALBOX_PROJECT"],
    key: env["SIGNALBOX_KEY"],
    token: env["SIGNALBOX_TOKEN"],
    dsn: env["SIGNALBOX_DSN"],
  });
  const resolved = validTarget(projectTarget);
  const address = options.enabled === false || typeof resolved === "string" ? undefined : resolved;
  if (options.enabled !== false && typeof resolved === "string") log(`nothing will be sent: ${resolved}`);

  const store =
    address && options.offlineDir ? openStore(options.offlineDir, options.maxQueued ?? 100, log) : undefined;
  const environment =
    filled(options.environment) ?? filled(env["SIGNALBOX_ENVIRONMENT"]) ?? filled(env["NODE_ENV"]);
  const release = filled(options.release) ?? attempt(() => detectRelease(env));
  const undo: (() => void)[] = [];
  const atClose: (() => void)[] = [];
  const { postpone, settle } = createPostponed();
  const occurred = createOccurrences(clock.now);
  const { reporter, delivery, leftOut } = assemble<NodeCaptureDetails>(
    address,
    { ...options, environment, release },
    {
      ...clock,
      repeated: (error, once, subjects) => occurred(error, once, [...subjects, currentScope()?.subject]),
      trail: currentScope,
      inScope: completed,
      log,
      fit,
      explain,
      transport: options.transport ?? createHttpTransport(),
      facts: createFacts(options, log),
      keep: (pending) => (pending.key ??= store?.keep(pending.event)),
      forget: ({ key }) => key && store?.remove(key),
    },
    undo,
    atClose,
  );

  if (address) {
    if (options.debug) log(`sending to ${address.url}`);
    for (const { event, key } of attempt(() => store?.take()) ?? []) delivery.add(event, groupOf(event), key);
    if (options.trackRequests !== false) undo.push(watchRequests());
    if (recorded(options, "console")) undo.push(...watchConsole(reporter.addBreadcrumb));
    if (recorded(options, "fetch")) undo.push(...watchOutgoing(reporter.addBreadcrumb, address.url));
    if (options.captureProcessErrors !== false) undo.push(watchProcess(reporter.captureOnce));
    const deadlineMs = options.exitDeadlineMs ?? 2000;
    if (deadlineMs > 0 || store) {
      undo.push(
        watchExit(delivery, { deadlineMs, blocking: !options.transport, settle, leftOut, store, log }),
      );
    }
  }
  return {
    ...reporter,
    postpone,
    runInScope,
    retire() {
      reporter.retire();
      const closeIfEmpty = () => {
        if (delivery.pending.length + delivery.held() > 0) clock.timer(1000, closeIfEmpty);
        else void reporter.close(0);
      };
      closeIfEmpty();
    },
    flush(deadlineMs) {
      settle();
      return reporter.flush(deadlineMs);
    },
    async close(deadlineMs) {
      settle();
      const drained = await reporter.close(deadlineMs);
      attempt(() => store?.release(delivery.pending.map(({ key, event }) => key ?? store.keep(event))));
      return drained;
    },
  };
}

function recorded({ breadcrumbs }: ReporterOptions, kind: "console" | "fetch"): boolean {
  return breadcrumbs !== false && property(breadcrumbs, kind) !== false;
}

/** Details, completed with those of the running request or job. */
function completed(details: CaptureDetails): CaptureDetails {
  const scope = currentScope();
  if (!scope) return details;
  const result: CaptureDetails = { ...attempt(scope.details) };
  for (const [name, value] of Object.entries(details))
    if (value !== undefined) Object.assign(result, { [name]: value });
  result.tags = { ...scope.tags, ...details.tags };
  result.breadcrumbs = [...scope.breadcrumbs, ...(details.breadcrumbs ?? [])];
  return result;
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

function createLog(custom: ReporterOptions["log"]): (line: string) => void {
  // eslint-disable-next-line no-console -- unlike a write to stderr, the console survives a closed pipe
  const write = custom ?? ((line: string) => console.warn(line));
  return (line) => attempt(() => write && write(`[signalbox] ${line}`));
}

function openStore(folder: string, maxEvents: number, log: (line: string) => void) {
  try {
    return createDiskStore(folder, maxEvents);
  } catch (error) {
    log(`cannot store events on disk: ${(error as Error).message}`);
    return undefined;
  }
}
