import { useSyncExternalStore } from "react";

type Said = { text: string; times: number };

let said: Said = { text: "", times: 0 };
const listeners = new Set<() => void>();

/** Tells screen readers what has just happened, politely: "Moved to position 3 of 12". */
export function announce(text: string): void {
  said = { text, times: said.times + 1 };
  for (const listener of listeners) listener();
}

/** Once in the app: where announcements are spoken. */
export function LiveRegion() {
  const { text, times } = useSyncExternalStore(subscribe, () => said);
  // The same words twice are spoken twice only if the text differs.
  return (
    <div role="status" className="sr-only">
      {text + (times % 2 === 0 ? "" : "\u00a0")}
    </div>
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
