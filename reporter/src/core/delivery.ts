import type { ErrorEventBody, Pending } from "./event.ts";
import type { Counts } from "./options.ts";
import type { Platform } from "./platform.ts";
import { attempt } from "./safe.ts";
import { smaller } from "./smaller.ts";
import { type Answer, retryAfterMs } from "./transport.ts";

export interface Target {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  maxQueued: number;
}

/** Requests under way at once: enough to drain a full queue inside a flush, few enough to go unnoticed. */
const concurrency = 4;
/** Characters in the queue, at most: events are large when their messages are. */
const maxQueuedSize = 4_000_000;
const maxFailures = 10;

/**
 * Carries events to the server: a bounded queue, a few requests at a time, each with its timeout; a server that
 * cannot be reached or asks for patience pauses the whole queue. Never throws, never keeps the process alive by itself.
 */
export function createDelivery(target: Target, platform: Platform) {
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
  const waiting = new Set<() => void>();
  const said = new Map<string | number, number>();
  let pausedUntil = 0;
  /** Whether the server named the time until which it is left alone. */
  let pauseAsked = false;
  /** Failures in a row, which the pauses grow with. */
  let patience = 0;
  let stopTimer: (() => void) | undefined;
  let closed = false;

  function add(event: ErrorEventBody, key?: string) {
    queue.push({ event, key, failures: 0 });
    while (queue.length > target.maxQueued || (queue.length > 1 && queuedSize() > maxQueuedSize)) {
      counts.overflowed += 1;
      sayOnce("full", "queue full: oldest errors dropped");
      forget(queue.find((oldest) => !oldest.sending) ?? queue[0]!);
    }
    // Later, so that whoever reports an error does not pay for sending it. A timer that runs already will do.
    if (!stopTimer) wake(0);
  }

  function queuedSize(): number {
    return queue.reduce((sum, { event }) => sum + event.message.length + event.stack_trace.length, 0);
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
    // After a failure one request finds out whether the server is back; the rest wait for its answer.
    const most = patience > 0 ? 1 : concurrency;
    let sending = queue.filter((one) => one.sending).length;
    for (const one of queue) {
      if (one.sending || sending >= most) continue;
      sending += 1;
      one.sending = true;
      void send(one);
    }
  }

  async function send(one: Pending) {
    let answer: Answer;
    try {
      const { url, headers, timeoutMs } = target;
      answer = await platform.transport({ url, headers, timeoutMs, body: JSON.stringify(one.event) });
    } catch (error) {
      answer = { status: 0, detail: attempt(() => (error as Error).message) };
    }
    one.sending = false;
    settle(one, answer);
    for (const look of waiting) look();
    pump();
  }

  function settle(one: Pending, { status, retryAfter, detail }: Answer) {
    if (status >= 200 && status < 300) {
      patience = 0;
      pausedUntil = 0;
      counts.sent += 1;
      return forget(one);
    }
    if (status >= 500) one.failures += 1;
    if ((!status || status === 408 || status === 429 || status >= 500) && one.failures < maxFailures) {
      pause(retryAfterMs(retryAfter, Date.now()));
      sayOnce("later", `errors not sent (${status || detail}), trying again later`);
      // From here on a crash would lose it for longer than a moment.
      attempt(() => platform.keep?.(one));
      return;
    }
    if ((status === 413 || status === 422) && !one.reduced) {
      one.event = smaller(one.event);
      one.reduced = true;
      return;
    }
    counts.refused += 1;
    sayOnce(status, `error refused: ${status} ${detail ?? ""}`);
    forget(one);
  }

  /** Half a second, doubled up to a minute, with a random part so that many processes do not come back at once. */
  function pause(asked: number | undefined) {
    const backoff = Math.min(500 * 2 ** patience, 60_000) * (0.5 + platform.random());
    patience += 1;
    pausedUntil = Math.max(pausedUntil, platform.now() + (asked ?? backoff));
    pauseAsked = asked !== undefined;
  }

  /** Each kind of trouble once in ten minutes. */
  function sayOnce(kind: string | number, line: string) {
    const now = platform.now();
    if (now < (said.get(kind) ?? -1)) return;
    said.set(kind, now + 600_000);
    platform.log(line);
  }

  function forget(one: Pending) {
    const place = queue.indexOf(one);
    if (place >= 0) queue.splice(place, 1);
    attempt(() => platform.forget?.(one));
  }

  /** Sends at once what may be sent at once. A server that was out of reach may be back; one that named a time waits. */
  function sendNow() {
    if (!pauseAsked) pausedUntil = 0;
    pump();
  }

  /** Sends what is queued. True when all of it is settled within `ms`; false as soon as that cannot be any more. */
  function flush(ms: number): Promise<boolean> {
    const ends = platform.now() + ms;
    return new Promise((resolve) => {
      const look = () => {
        if (queue.length === 0) done(true);
        else if (pausedUntil > ends && !queue.some((one) => one.sending)) done(false);
      };
      const done = (drained: boolean) => {
        waiting.delete(look);
        stop();
        resolve(drained);
      };
      const stop = (platform.deadline ?? platform.timer)(ms, () => done(false));
      waiting.add(look);
      sendNow();
      look();
    });
  }

  function close() {
    closed = true;
    stopTimer?.();
  }

  return { add, flush, sendNow, forget, close, counts, target, pending: queue as readonly Pending[] };
}

export type Delivery = ReturnType<typeof createDelivery>;
