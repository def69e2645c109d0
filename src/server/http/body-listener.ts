import type { IncomingMessage } from "node:http";

type Listener = (content: string) => Promise<void>;

const listeners = new WeakMap<IncomingMessage, Listener>();

/** Calls `listener` when the route has read the body by itself, before it uses the content. */
export function onBodyRead(request: IncomingMessage, listener: Listener): void {
  listeners.set(request, listener);
}

/** Called by whatever reads a body for a route. `content` is the same for the same content. */
export async function announceBody(request: IncomingMessage, content: () => string): Promise<void> {
  await listeners.get(request)?.(content());
}
