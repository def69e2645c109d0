import { attempt } from "../core/safe.ts";
import type { Delivery } from "../core/delivery.ts";
import type { Pending } from "../core/event.ts";
import type { LeftOut } from "../core/left-out.ts";
import type { EventStore } from "./disk-store.ts";
import { sendBlocking } from "./send-blocking.ts";

interface ExitOptions {
  /** How long the exit of the process may be delayed, in milliseconds. */
  deadlineMs: number;
  /** Whether a thread may send at `exit`. False for a custom transport, which the thread cannot use. */
  blocking: boolean;
  /** Runs postponed captures. */
  settle: () => void;
  leftOut: LeftOut;
  store?: EventStore | undefined;
  log: (line: string) => void;
}

/**
 * Sends queued events when the process ends, for at most `deadlineMs` in total; events that cannot be sent are stored.
 *
 * An event whose request is in flight is sent again, because its response can no longer be received: it may be counted
 * twice, but is not lost.
 *
 * @returns a function that removes the handlers
 */
export function watchExit(delivery: Delivery, options: ExitOptions): () => void {
  const { store, log, settle } = options;
  let left = options.deadlineMs;
  let tried = 0;

  // The event loop still runs at `beforeExit`, so no need to block.
  const beforeExit = () => {
    settle();
    // A flush causes another `beforeExit`: without this check, an unreachable server would keep the process in a loop.
    if (delivery.pending.length === 0 || delivery.pending.length === tried || left <= 0) return;
    const began = performance.now();
    void delivery.flush(left).then((drained) => {
      left = drained ? options.deadlineMs : left - (performance.now() - began);
      tried = delivery.pending.length;
    });
  };

  const exit = () => {
    attempt(settle);
    options.leftOut.report();
    const pending = [...delivery.pending];
    // Store first: the disk is fast and reliable, the network is not.
    for (const entry of pending) entry.key ??= attempt(() => store?.keep(entry.event));
    const isUseful = options.blocking && left > 0 && !delivery.isPaused();
    const answers = isUseful && pending.length > 0 ? attempt(() => sendAll(pending)) : undefined;
    let reason = "";
    for (const [index, entry] of pending.entries()) {
      const answer = answers?.[index];
      if (answer?.status) delivery.settle(entry, answer);
      else if (answer?.detail) reason = ` (${answer.detail})`;
    }
    const unsent = delivery.pending;
    attempt(() => store?.release(unsent.flatMap(({ key }) => key ?? [])));
    const lost = unsent.filter(({ key }) => !key).length + delivery.held();
    if (lost > 0) log(`errors not sent before exit: ${lost}${reason}`);
  };

  const sendAll = (pending: Pending[]) => {
    const bodies = pending.map(({ event }) => JSON.stringify(event));
    const { url, headers } = delivery.target;
    return sendBlocking({ url, headers, bodies }, left);
  };

  const isDeno = process.versions["deno"] !== undefined;
  /** Deno ends a program that crashes without the event `exit`. */
  const crash = () => {
    if (process.listenerCount("uncaughtException") === 0) exit();
  };

  process.on("beforeExit", beforeExit);
  process.on("exit", exit);
  // After the listener that captures the error.
  if (isDeno) process.on("uncaughtExceptionMonitor", crash);
  return () => {
    process.off("uncaughtExceptionMonitor", crash);
    process.off("beforeExit", beforeExit);
    process.off("exit", exit);
  };
}
