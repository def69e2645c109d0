type Listener = (ids: readonly number[]) => void;

const listeners = new Set<Listener>();

/** Listens for reports that an undo has returned to the queue, which are then selected. */
export function onReturned(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellReturned(ids: readonly number[]): void {
  for (const listener of listeners) listener(ids);
}
