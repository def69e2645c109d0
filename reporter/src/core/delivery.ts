import type { ErrorEventBody, Pending } from "./event.ts";
import type { LeftOut } from "./left-out.ts";
import type { Counts } from "./options.ts";
import type { Platform } from "./platform.ts";
import { MAX_QUEUED_SIZE, mostFrequent, sizeOf } from "./queue-limits.ts";
import { attempt } from "./safe.ts";
import { smaller } from "./smaller.ts";
import { isMisconfigured, type SendResult, retryAfterMs } from "./transport.ts";

export interface DeliveryTarget {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  maxQueued: number;
  /** Log the response to each event. */
  debug?: boolean | undefined;
}

/** Requests in flight: enough to drain a full queue during a flush, few enough not to disturb the host. */
const CONCURRENCY = 4;
const MAX_FAILURES = 10;
/** The pause after a response that stays the same until the options or the server are corrected. */
const MISCONFIGURED_MS = 300_000;

/**
 * Sends events to the server from a bounded queue, a few requests at a time, each with a timeout. When the server is
 * unreachable or limits requests, the whole queue pauses. Never throws, and does not keep the process alive by itself.
 */
export function createDelivery(target: DeliveryTarget, platform: Platform, leftOut: LeftOut) {
  const queue: Pending[] = [];
  const counts: Counts = {
    sent: 0,
    overBudget: 0,
    overflowed: 0,
    refused: 0,
    get queued() {
      return queue.length;
    },
  };
  /** Called after each response: the checks of unfinished flushes. */
  const waiting = new Set<() => void>();
  const silentUntil = new Map<string | number, number>();
  let pausedUntil = 0;
  /** Whether the server set the pause with Retry-After. */
  let pauseAsked = false;
  /** Consecutive failures; pauses grow with them. */
  let failuresInRow = 0;
  let stopTimer: (() => void) | undefined;
  let closed = false;
  let held = 0;

  function add(event: ErrorEventBody, group: string, key?: string) {
    const added: Pending = { event, key, group, failures: 0 };
    queue.push(added);
    // The wait may be long, so the event should survive a crash.
    if (failuresInRow > 0) attempt(() => platform.keep?.(added));
    while (queue.length > target.maxQueued || (queue.length > 1 && sizeOf(queue) > MAX_QUEUED_SIZE)) {
      const dropped = mostFrequent(queue);
      counts.overflowed += 1;
      leftOut.add(dropped.group);
      forget(dropped);
    }
    // Asynchronously, so that the call that reports an error does not take longer. A running timer is enough.
    if (!stopTimer) wake(0);
  }

  /** Lets a flush wait for an event that is not in the queue yet. */
  function hold(ready: Promise<void>) {
    held += 1;
    void ready.then(() => {
      held -= 1;
      if (waiting.size > 0) pump();
      for (const check of waiting) check();
    });
  }

  function wake(ms: number) {
    stopTimer = platform.timer(ms, pump);
  }

  function pump() {
    stopTimer?.();
    stopTimer = undefined;
    if (closed || queue.length === 0) return;
    const wait = pausedUntil - platform.now();
    if (wait > 0) return wake(wait);
    // After a failure, a single request probes whether the server is available again.
    const limit = failuresInRow > 0 ? 1 : CONCURRENCY;
    let sending = queue.filter((pending) => pending.sending).length;
    for (const pending of queue) {
      if (pending.sending || sending >= limit) continue;
      sending += 1;
      pending.sending = true;
      void send(pending);
    }
  }

  async function send(pending: Pending) {
    let answer: SendResult;
    try {
      const { url, headers, timeoutMs } = target;
      answer = await platform.transport({ url, headers, timeoutMs, body: JSON.stringify(pending.event) });
    } catch (error) {
      answer = { status: 0, detail: attempt(() => (error as Error).message) };
    }
    pending.sending = false;
    settle(pending, answer);
    for (const check of waiting) check();
    pump();
  }

  function settle(pending: Pending, answer: SendResult) {
    const { status, retryAfter, detail } = answer;
    if (target.debug) platform.log(`${pending.event.event_id}: ${status || detail}`);
    if (isMisconfigured(answer)) {
      pause(MISCONFIGURED_MS);
      const problem = platform.explain?.(answer) ?? "check url, project and key";
      logOnce(status, `errors are not sent: ${problem} (${status} from ${target.url})`);
      attempt(() => platform.keep?.(pending));
      return;
    }
    if (status >= 200 && status < 300) {
      failuresInRow = 0;
      pausedUntil = 0;
      counts.sent += 1;
      return forget(pending);
    }
    if (status >= 500) pending.failures += 1;
    if ((!status || status === 408 || status === 429 || status >= 500) && pending.failures < MAX_FAILURES) {
      pause(retryAfterMs(retryAfter));
      logOnce("later", `errors not sent (${status || detail}), retrying later`);
      attempt(() => platform.keep?.(pending));
      return;
    }
    if ((status === 413 || status === 422) && !pending.reduced) {
      pending.event = smaller(pending.event);
      pending.reduced = true;
      return;
    }
    counts.refused += 1;
    logOnce(status, `error refused: ${status} ${detail ?? ""}`);
    forget(pending);
  }

  /** Exponential backoff from half a second to a minute, with jitter so that many processes do not retry at once. */
  function pause(requestedMs: number | undefined) {
    const backoff = Math.min(500 * 2 ** failuresInRow, 60_000) * (0.5 + platform.random());
    failuresInRow += 1;
    pausedUntil = Math.max(pausedUntil, platform.now() + (requestedMs ?? backoff));
    pauseAsked = requestedMs !== undefined;
  }

  /** Logs each kind of problem once in ten minutes. */
  function logOnce(kind: string | number, line: string) {
    const now = platform.now();
    if (now < (silentUntil.get(kind) ?? -1)) return;
    silentUntil.set(kind, now + 600_000);
    platform.log(line);
  }

  function forget(pending: Pending) {
    const index = queue.indexOf(pending);
    if (index >= 0) queue.splice(index, 1);
    attempt(() => platform.forget?.(pending));
  }

  /** Sends now. Ends a backoff, since the server may be reachable again, but not a pause that it asked for. */
  function sendNow() {
    if (!pauseAsked) pausedUntil = 0;
    pump();
  }

  /** Sends the queue. Resolves to true once it is empty, or to false as soon as that cannot happen within `ms`. */
  function flush(ms: number): Promise<boolean> {
    const ends = platform.now() + ms;
    return new Promise((resolve) => {
      const check = () => {
        if (queue.length + held === 0) done(true);
        else if (held === 0 && pausedUntil > ends && !queue.some((pending) => pending.sending)) done(false);
      };
      const done = (drained: boolean) => {
        waiting.delete(check);
        stop();
        resolve(drained);
      };
      const stop = (platform.deadline ?? platform.timer)(ms, () => done(false));
      waiting.add(check);
      sendNow();
      check();
    });
  }

  function close() {
    closed = true;
    stopTimer?.();
  }

  return {
    add,
    hold,
    flush,
    sendNow,
    settle,
    close,
    counts,
    target,
    pending: queue as readonly Pending[],
    /** The number of events that `hold` waits for. */
    held: () => held,
    /** Whether sending now is useless: the server said when to come back, or the options are wrong. */
    isPaused: () => pauseAsked && pausedUntil > platform.now(),
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
