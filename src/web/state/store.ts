import { useSyncExternalStore } from "react";

/** A value that components follow: `useStore` renders again whenever it changes. */
export type Store<T> = {
  get: () => T;
  set: (next: T) => void;
  /** Calls the listener after each change; returns how to stop. */
  subscribe: (listener: () => void) => () => void;
};

/** `onFirst` runs when the first listener arrives and returns what runs when the last one leaves. */
export function store<T>(initial: T, onFirst?: () => () => void): Store<T> {
  let value = initial;
  let onLast: (() => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      if (listeners.size === 0) onLast = onFirst?.();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) onLast?.();
      };
    },
  };
}

export function useStore<T>({ subscribe, get }: Pick<Store<T>, "subscribe" | "get">): T {
  return useSyncExternalStore(subscribe, get);
}
