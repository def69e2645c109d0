import { createBudget } from "./budget.ts";
import { previousErrors } from "./chain.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import { describe, describeThrown } from "./describe.ts";
import { type Breadcrumb, type Context, type ErrorEventBody, eventId } from "./event.ts";
import { groupOf } from "./group.ts";
import { ignored } from "./ignore.ts";
import { createLeftOut, type LeftOut } from "./left-out.ts";
import type { CaptureDetails, Counts, Reviewed, SharedOptions } from "./options.ts";
import type { Platform } from "./platform.ts";
import { attempt, property } from "./safe.ts";
import type { ProjectTarget } from "./target.ts";
import type { NewBreadcrumb, Trail } from "./trail.ts";

/** Sends errors. No method throws; only `flush` and `close` wait for the network. */
export interface Reporter<Details extends CaptureDetails = CaptureDetails> {
  /**
   * Reports an error, or any other thrown value. Returns the event's id, which feedback can refer to as
   * `error_event_id`; undefined if nothing is sent.
   *
   * @param caller the function that was called to report a thrown value without a stack; its caller is the top frame
   */
  captureError: (error: unknown, details?: Details, caller?: Function) => string | undefined;
  /**
   * Like captureError, but sends an error object only once if it passes several handlers: once for each subject, and
   * without a subject once in two seconds. For integrations.
   *
   * @param subject the request or job that failed
   */
  captureOnce: (error: unknown, details?: Details, subject?: object) => void;
  /** Sets the context of errors captured without one, such as the command of a CLI program; null removes it. */
  setContext: (context: Context | null) => void;
  /** Adds a tag to all further errors; within a request or job, only to its errors. */
  setTag: (name: string, value: string | number | boolean) => void;
  /** Adds a breadcrumb to all further errors; within a request or job, only to its errors. The last 100 are kept. */
  addBreadcrumb: (breadcrumb: NewBreadcrumb) => void;
  /** Waits until all events are sent, at most `deadlineMs` (default 2,000). Resolves to whether they are. */
  flush: (deadlineMs?: number) => Promise<boolean>;
  /** Stops capturing, but still sends the queue. For a reporter that another one replaces. */
  retire: () => void;
  /** Stops capturing, flushes, and removes all handlers. */
  close: (deadlineMs?: number) => Promise<boolean>;
  readonly counts: Readonly<Counts>;
}

const MAX_BREADCRUMBS = 100;

/**
 * Creates a reporter from its parts.
 *
 * @param target undefined for a reporter that sends nothing
 * @param undo functions that stop capturing
 * @param atClose functions that `close` calls
 */
export function assemble<Details extends CaptureDetails>(
  target: ProjectTarget | undefined,
  options: SharedOptions,
  platform: Platform,
  undo: (() => void)[],
  atClose: (() => void)[] = [],
): { reporter: Reporter<Details>; delivery: Delivery; leftOut: LeftOut } {
  const { timeoutMs = 10_000, maxQueued = 100, maxPerMinute = 300, sampleRate = 1, ignore = [] } = options;
  const leftOut = createLeftOut(platform);
  const delivery = createDelivery(
    { url: "", headers: {}, ...target, timeoutMs, maxQueued, debug: options.debug },
    platform,
    leftOut,
  );
  const allows = createBudget(maxPerMinute, platform);
  let context: Context | null = null;
  const global: Trail = { tags: {}, breadcrumbs: [] };
  const trail = () => platform.trail?.() ?? global;
  /** Prevents recursion: `beforeSend`, `ignore` and `log` are the host's functions and may report errors themselves. */
  let capturing = false;
  let closed = !target;

  /** @param caller undefined for integrations: the stack of their handlers says nothing about the error */
  function capture(
    error: unknown,
    details: CaptureDetails,
    once: boolean,
    subject?: object,
    caller?: Function,
  ): string | undefined {
    if (capturing || closed) return undefined;
    capturing = true;
    try {
      if (platform.repeated(error, once, [subject]) && once) return undefined;
      const event = build(error, platform.inScope?.(details) ?? details, caller);
      if (!event) return undefined;
      const { event_id } = event;
      review(event, error);
      return event_id;
    } catch {
      // A failure of the reporter must not affect the host.
      return undefined;
    } finally {
      capturing = false;
    }
  }

  function build(error: unknown, details: CaptureDetails, caller?: Function): ErrorEventBody | undefined {
    if (platform.random() >= sampleRate) return undefined;
    const described = describeThrown(error, caller);
    if (ignored(ignore, error, described)) {
      if (options.debug) platform.log(`ignored: ${described.message}`);
      return undefined;
    }
    const previous = previousErrors(error).map((cause) => describe(cause));
    const code = property(error, "code");
    const tags = { ...global.tags, ...details.tags };
    const breadcrumbs = [...global.breadcrumbs, ...(details.breadcrumbs ?? [])].slice(-MAX_BREADCRUMBS);
    const event: ErrorEventBody = {
      event_id: eventId(),
      level: details.level,
      fingerprint: details.fingerprint,
      tags: tags as Record<string, string>,
      breadcrumbs,
      environment: details.environment ?? options.environment ?? "production",
      ...described,
      release: details.release ?? options.release,
      previous_exceptions: previous.length > 0 ? previous : undefined,
      exception_code: typeof code === "number" ? `${code}` : (code as string),
      context: details.context ?? context ?? undefined,
      user_hash: details.userHash,
    };
    const group = groupOf(event);
    if (!allows(group)) {
      delivery.counts.overBudget += 1;
      leftOut.add(group);
      return undefined;
    }
    return Object.assign(event, platform.facts(details, event.stack_trace));
  }

  /** Passes the event through `beforeSend` to the queue. */
  function review(event: ErrorEventBody, error: unknown) {
    const group = groupOf(event);
    const accept = (result: Reviewed) => {
      const final = result === null ? undefined : (result ?? event);
      if (!final) return;
      platform.accepted?.(final);
      delivery.add(platform.fit?.(final) ?? final, group);
    };
    const refuse = () => platform.log("error dropped: beforeSend failed");
    try {
      const result = options.beforeSend?.(event, error);
      if (property(result, "then")) delivery.hold(Promise.resolve(result).then(accept).catch(refuse));
      else accept(result as Reviewed);
    } catch {
      refuse();
    }
  }

  function stop() {
    closed = true;
    for (const step of undo.splice(0)) attempt(step);
  }

  const reporter: Reporter<Details> = {
    captureError: function captureError(error, details, caller) {
      return capture(error, details ?? {}, false, undefined, caller ?? captureError);
    },
    captureOnce: (error, details, subject) => void capture(error, details ?? {}, true, subject),
    setContext: (next) => {
      context = next;
    },
    setTag: (name, value) => {
      trail().tags[name] = String(value);
    },
    addBreadcrumb: (breadcrumb) => {
      const { breadcrumbs } = trail();
      // The caller's object, because the breadcrumb of a request is completed by its response.
      breadcrumb.timestamp ??= new Date().toISOString();
      if (breadcrumbs.push(breadcrumb as Breadcrumb) > MAX_BREADCRUMBS) breadcrumbs.shift();
    },
    flush: (deadlineMs = 2000) => delivery.flush(deadlineMs),
    retire: stop,
    async close(deadlineMs = 2000) {
      stop();
      const drained = await delivery.flush(deadlineMs);
      leftOut.report();
      delivery.close();
      for (const step of atClose) attempt(step);
      return drained;
    },
    counts: delivery.counts,
  };
  return { reporter, delivery, leftOut };
}
