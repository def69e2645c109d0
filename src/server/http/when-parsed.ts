/** Milliseconds of callbacks in one turn of the event loop. */
const BUDGET_MS = 2;

/** By sender, in the order of their turns. Each has callbacks. */
const waiting = new Map<unknown, (() => void)[]>();

/**
 * Calls back when the parser has read everything that arrived together with the headers of the request that is being received.
 * By then, all requests of this turn of the event loop have been received: to read all before the first is answered takes less
 * time than to do both in turn.
 *
 * Senders take turns, and what takes longer than the budget waits for the next turn of the event loop. So a sender of many
 * requests delays neither those of others that have arrived nor those that are about to.
 */
export function whenParsed(sender: unknown, callback: () => void): void {
  if (waiting.size === 0) setImmediate(callBack);
  const callbacks = waiting.get(sender);
  if (callbacks) callbacks.push(callback);
  else waiting.set(sender, [callback]);
}

function callBack(): void {
  const end = performance.now() + BUDGET_MS;
  for (const [sender, callbacks] of waiting) {
    if (performance.now() >= end) break;
    const callback = callbacks.shift();
    waiting.delete(sender);
    if (callbacks.length > 0) waiting.set(sender, callbacks);
    callback?.();
  }
  if (waiting.size > 0) setImmediate(callBack);
}
