import { createBudget } from "./budget.ts";
import { previousErrors } from "./chain.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import { describe } from "./describe.ts";
import type { Context, ErrorEventBody } from "./event.ts";
import { fit } from "./fit.ts";
import { ignored } from "./ignore.ts";
import type { CaptureDetails, Counts, SharedOptions } from "./options.ts";
import type { Platform } from "./platform.ts";
import { attempt, property } from "./safe.ts";

/** Sends errors. No method throws, and none waits for the network unless it says so. */
export interface Reporter<Details extends CaptureDetails = CaptureDetails> {
  /** Reports anything that was thrown. */
  captureError: (error: unknown, details?: Details) => void;
  /**
   * As captureError, unless this very object was captured within the last two seconds: an error on its way out passes
   * several catchers. For integrations.
   */
  captureOnce: (error: unknown, details?: Details) => void;
  /** The context of errors captured without one, such as the command of a command-line program. Null for none. */
  setContext: (context: Context | null) => void;
  /** Waits until everything is sent, at most `deadlineMs` (default 2,000); answers whether it is. */
  flush: (deadlineMs?: number) => Promise<boolean>;
  /** Flushes and takes every handler back. The reporter captures nothing from then on. */
  close: (deadlineMs?: number) => Promise<boolean>;
  readonly counts: Readonly<Counts>;
}

/** How long an error object counts as the same occurrence, in milliseconds. */
const sameError = 2000;

/**
 * Puts a reporter together.
 *
 * @param target the address and the headers of its requests; undefined for a reporter that sends nothing
 * @param undo what `close` calls
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
  /** True while the host's own functions run, which may report errors themselves. */
  let inside = false;
  let closed = !target;

  function capture(error: unknown, details: CaptureDetails, once?: boolean) {
    if (inside || closed) return;
    inside = true;
    try {
      if (seenBefore(error) && once) return;
      const event = build(error, details);
      if (event) delivery.add(event);
    } catch {
      // Whatever went wrong here must not become the host's trouble.
    } finally {
      inside = false;
    }
  }

  function seenBefore(error: unknown): boolean {
    if (typeof error !== "object" || !error) return false;
    const now = platform.now();
    const last = captured.get(error) ?? -Infinity;
    captured.set(error, now);
    return now - last < sameError;
  }

  function build(error: unknown, details: CaptureDetails): ErrorEventBody | undefined {
    if (platform.random() >= sampleRate) return undefined;
    const own = describe(error, property(error, "stack") ? undefined : new Error().stack);
    if (ignored(ignore, error, own)) return undefined;
    if (!budget.allows()) {
      delivery.counts.overBudget += 1;
      return undefined;
    }
    const previous = previousErrors(error).map((one) => describe(one));
    const code = property(error, "code");
    const event: ErrorEventBody = {
      environment: details.environment ?? options.environment ?? "production",
      ...own,
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
      const answer = options.beforeSend?.(event, error);
      if (property(answer, "then")) throw answer;
      return answer === null ? undefined : (answer ?? event);
    } catch {
      platform.log("beforeSend threw or is not synchronous: error dropped");
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
      for (const one of undo) attempt(one);
      return drained;
    },
    counts: delivery.counts,
  };
  return { reporter, delivery };
}
