/** Adds a listener, if the target exists: a worker has no document. Returns a function that removes it. */
export function listen(
  target: EventTarget | undefined,
  name: string,
  listener: (event: never) => void,
): () => void {
  target?.addEventListener?.(name, listener as EventListener);
  return () => target?.removeEventListener?.(name, listener as EventListener);
}
