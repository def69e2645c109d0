import { attempt } from "../core/safe.ts";
import type { Delivery } from "../core/delivery.ts";
import type { EventStore } from "./disk-store.ts";
import { sendBlocking } from "./send-blocking.ts";

interface ExitOptions {
  /** Milliseconds the end of the process may take longer. */
  deadlineMs: number;
  /** Whether a thread may send at `exit`; not with a transport of the program's own. */
  blocking: boolean;
  /** Runs what was postponed. */
  settle: () => void;
  store?: EventStore | undefined;
  log: (line: string) => void;
}

/**
 * Sends what is left when the process ends, for at most `deadlineMs` altogether; what cannot be sent goes to the store.
 *
 * An event whose request is under way is sent again, since its answer will never be seen: it may be counted twice, but
 * is not lost.
 *
 * @returns how to stop
 */
export function watchExit(delivery: Delivery, options: ExitOptions): () => void {
  const { store, log, settle } = options;
  let left = options.deadlineMs;
  let tried = 0;

  // The program has nothing more to do: the event loop still turns, so nothing has to block.
  const beforeExit = () => {
    settle();
    // The same events once only, or an unreachable server would hold the process in a circle.
    if (delivery.pending.length === 0 || delivery.pending.length === tried || left <= 0) return;
    const began = performance.now();
    void delivery.flush(left).then((drained) => {
      left = drained ? options.deadlineMs : left - (performance.now() - began);
      tried = delivery.pending.length;
    });
  };

  const exit = () => {
    attempt(settle);
    const pending = [...delivery.pending];
    if (pending.length === 0) return;
    // The disk first: it is quick and certain, the network is neither.
    for (const one of pending) one.key ??= attempt(() => store?.keep(one.event));
    const statuses =
      options.blocking && left > 0
        ? attempt(() => {
            const bodies = pending.map((one) => JSON.stringify(one.event));
            const { url, headers } = delivery.target;
            return sendBlocking({ url, headers, bodies }, left);
          })
        : undefined;
    const settled = pending.filter((_, place) => isFinal(statuses?.[place] ?? 0));
    for (const one of settled) delivery.forget(one);
    attempt(() => store?.release(delivery.pending.flatMap((one) => one.key ?? [])));
    const lost = delivery.pending.filter((one) => !one.key).length;
    if (lost > 0) log(`${lost} errors could not be sent before the process ended`);
  };

  process.on("beforeExit", beforeExit);
  process.on("exit", exit);
  return () => {
    process.off("beforeExit", beforeExit);
    process.off("exit", exit);
  };
}

/** Accepted, or refused in a way that another attempt would not change. */
function isFinal(status: number): boolean {
  return status >= 200 && status < 500 && status !== 408 && status !== 429;
}
