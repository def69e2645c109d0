import type { IncomingMessage } from "node:http";

type Listener = (content: string) => Promise<void>;

const listeners = new WeakMap<IncomingMessage, Listener>();

/** Calls `listener` when a route that reads its own body has read it, before the content is used. */
export function onBodyRead(request: IncomingMessage, listener: Listener): void {
  listeners.set(request, listener);
}

/** Call after reading a body for a route. Equal bodies must have equal `content`. */
export async function announceBody(request: IncomingMessage, content: () => string): Promise<void> {
  await listeners.get(request)?.(content());
}
