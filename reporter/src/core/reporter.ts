import { createBudget } from "./budget.ts";
import { previousErrors } from "./chain.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import { describe } from "./describe.ts";
import { eventId } from "./event-id.ts";
import type { Context, ErrorEventBody } from "./event.ts";
import { fit } from "./fit.ts";
import { ignored } from "./ignore.ts";
import type { CaptureDetails, Counts, SharedOptions } from "./options.ts";
import type { Platform } from "./platform.ts";
import { attempt, property } from "./safe.ts";

/** Sends errors. No method throws; only `flush` and `close` wait for the network. */
export interface Reporter<Details extends CaptureDetails = CaptureDetails> {
  /** Reports an error, or any other thrown value. */
  captureError: (error: unknown, details?: Details) => void;
  /**
   * Like captureError, but ignores an error object that was already captured within the last two seconds: a rethrown
   * error passes several handlers. For integrations.
   */
  captureOnce: (error: unknown, details?: Details) => void;
  /** Sets the context of errors captured without one, such as the command of a CLI program; null removes it. */
  setContext: (context: Context | null) => void;
  /** Waits until all events are sent, at most `deadlineMs` (default 2,000). Resolves to whether they are. */
  flush: (deadlineMs?: number) => Promise<boolean>;
  /** Stops capturing, flushes, and removes all handlers. */
  close: (deadlineMs?: number) => Promise<boolean>;
  readonly counts: Readonly<Counts>;
}

/** How long the same error object counts as the same occurrence. */
const sameErrorMs = 2000;

/**
 * Creates a reporter from its parts.
 *
 * @param target URL and headers of its requests; undefined for a reporter that sends nothing
 * @param undo functions that `close` calls
 */
export function assemble<Details extends CaptureDetails>(
  target: { url: string; headers: Record<string, string> } | undefined,
  options: SharedOptions,
  platform: Platform,
  undo: (() => void)[],
): { reporter: Reporter<Details>; delivery: Delivery } {
  const { timeoutMs = 10_000, maxQueued = 100, maxPerMinute = 300, sampleRate = 1, ignore = [] } = options;
  const delivery = createDelivery({ url: "", headers: {}, ...target, timeoutMs, maxQueued }, platform);
  const budget = createBudget(maxPerMinute, platform);
  const captured = new WeakMap<object, number>();
  let context: Context | null = null;
  /** Prevents recursion: `beforeSend`, `ignore` and `log` are the host's functions and may report errors themselves. */
  let capturing = false;
  let closed = !target;

  function capture(error: unknown, details: CaptureDetails, once?: boolean) {
    if (capturing || closed) return;
    capturing = true;
    try {
      if (seenBefore(error) && once) return;
      const event = build(error, details);
      if (event) delivery.add(event);
    } catch {
      // A failure of the reporter must not affect the host.
    } finally {
      capturing = false;
    }
  }

  function seenBefore(error: unknown): boolean {
    if (typeof error !== "object" || !error) return false;
    const now = platform.now();
    const last = captured.get(error) ?? -Infinity;
    captured.set(error, now);
    return now - last < sameErrorMs;
  }

  function build(error: unknown, details: CaptureDetails): ErrorEventBody | undefined {
    if (platform.random() >= sampleRate) return undefined;
    const described = describe(error, property(error, "stack") ? undefined : new Error().stack);
    if (ignored(ignore, error, described)) return undefined;
    if (!budget.allows()) {
      delivery.counts.overBudget += 1;
      return undefined;
    }
    const previous = previousErrors(error).map((cause) => describe(cause));
    const code = property(error, "code");
    const event: ErrorEventBody = {
      event_id: eventId(),
      environment: details.environment ?? options.environment ?? "production",
      ...described,
      release: details.release ?? options.release,
      previous_exceptions: previous.length > 0 ? previous : undefined,
      exception_code: typeof code === "number" ? `${code}` : (code as string),
      context: details.context ?? context ?? undefined,
      user_hash: details.userHash,
      ...platform.facts(details),
    };
    const final = reviewed(event, error);
    return final && fit(final);
  }

  function reviewed(event: ErrorEventBody, error: unknown): ErrorEventBody | undefined {
    try {
      const result = options.beforeSend?.(event, error);
      if (property(result, "then")) throw result;
      return result === null ? undefined : (result ?? event);
    } catch {
      platform.log("error dropped: beforeSend threw or is not synchronous");
      return undefined;
    }
  }

  const reporter: Reporter<Details> = {
    captureError: (error, details) => capture(error, details ?? {}),
    captureOnce: (error, details) => capture(error, details ?? {}, true),
    setContext: (next) => {
      context = next;
    },
    flush: (deadlineMs = 2000) => delivery.flush(deadlineMs),
    async close(deadlineMs = 2000) {
      closed = true;
      const drained = await delivery.flush(deadlineMs);
      budget.report();
      delivery.close();
      for (const step of undo) attempt(step);
      return drained;
    },
    counts: delivery.counts,
  };
  return { reporter, delivery };
}
