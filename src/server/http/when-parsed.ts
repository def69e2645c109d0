/** Milliseconds of callbacks in one turn of the event loop. */
const BUDGET_MS = 2;

/** The callbacks of each sender, in the order of their turns. No list is empty. */
const waiting = new Map<unknown, (() => void)[]>();

/**
 * Calls back once the parser has read everything that arrived together with the current request's headers, and all requests of
 * this turn of the event loop have been received. Receiving all of them before answering the first one is faster than
 * alternating.
 *
 * Senders take turns, and callbacks beyond the budget wait for the next turn of the event loop, so that a sender of many
 * requests does not delay those of others.
 */
export function whenParsed(sender: unknown, callback: () => void): void {
  if (waiting.size === 0) setImmediate(runWaiting);
  const callbacks = waiting.get(sender);
  if (callbacks) callbacks.push(callback);
  else waiting.set(sender, [callback]);
}

function runWaiting(): void {
  const end = performance.now() + BUDGET_MS;
  for (const [sender, callbacks] of waiting) {
    if (performance.now() >= end) break;
    const callback = callbacks.shift();
    waiting.delete(sender);
    if (callbacks.length > 0) waiting.set(sender, callbacks);
    callback?.();
  }
  if (waiting.size > 0) setImmediate(runWaiting);
}
