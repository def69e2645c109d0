/** Adds a listener. Returns a function that removes it. */
export function listen(target: EventTarget, name: string, listener: (event: never) => void): () => void {
  target.addEventListener(name, listener as EventListener);
  return () => target.removeEventListener(name, listener as EventListener);
}
