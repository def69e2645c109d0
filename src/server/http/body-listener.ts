import type { IncomingMessage } from "node:http";

type Listener = (content: string) => Promise<void>;

const listeners = new WeakMap<IncomingMessage, Listener[]>();

/** Calls `listener` when a route that reads its own body has read it, before the content is used. Listeners run in order. */
export function onBodyRead(request: IncomingMessage, listener: Listener): void {
  listeners.set(request, [...(listeners.get(request) ?? []), listener]);
}

/** Call after reading a body for a route. Equal bodies must have equal `content`. */
export async function announceBody(request: IncomingMessage, content: () => string): Promise<void> {
  const waiting = listeners.get(request);
  if (!waiting) return;
  const text = content();
  for (const listener of waiting) await listener(text);
}
