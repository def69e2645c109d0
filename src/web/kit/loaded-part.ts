import { type ComponentType, createElement, useState, useSyncExternalStore } from "react";
import { OnItsWay } from "./on-its-way.tsx";
import { toast } from "./toast.tsx";

type Opening = { open: boolean; onOpenChange: (open: boolean) => void };

/**
 * A part of the app that is fetched when it is first wanted, such as what a menu opens. `load` may be called often and
 * early, on hover or focus. A part that does not come is said so, and may be asked for again. `Part` shows it once it is there.
 */
export function loadedPart<Props extends Opening>(fetch: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | null = null;
  let pending = false;
  const listeners = new Set<() => void>();

  const setPending = (is: boolean) => {
    pending = is;
    for (const listener of listeners) listener();
  };
  const load = () => {
    if (part !== null || pending) return;
    setPending(true);
    fetch()
      .then((loaded) => {
        part = loaded;
      })
      .catch(() =>
        toast({
          title: "A part of the app did not load. Check the connection and try again.",
          tone: "danger",
        }),
      )
      .finally(() => setPending(false));
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const Part = (props: Props) => {
    const loaded = useSyncExternalStore(subscribe, () => part);
    const isPending = useSyncExternalStore(subscribe, () => pending);
    if (loaded !== null) return createElement(loaded, props);
    // Not when it did not come: then keys would wait for ever.
    const waits = props.open && isPending;
    return waits ? createElement(OnItsWay, { onEscape: () => props.onOpenChange(false) }) : null;
  };
  return { load, Part };
}

/** Open or not: kept by the caller when `open` is given, else here. */
export function useOpen(open: boolean | undefined, onOpenChange: ((open: boolean) => void) | undefined) {
  const [own, setOwn] = useState(false);
  const set = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  return [open ?? own, set] as const;
}
