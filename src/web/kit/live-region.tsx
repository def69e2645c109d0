import { store, useStore } from "../state/store.ts";

type Said = { text: string; times: number };

const said = store<Said>({ text: "", times: 0 });

/** Tells screen readers what has just happened, politely: "Moved to position 3 of 12". */
export function announce(text: string): void {
  said.set({ text, times: said.get().times + 1 });
}

/** Once in the app: where announcements are spoken. */
export function LiveRegion() {
  const { text, times } = useStore(said);
  // The same words twice are spoken twice only if the text differs.
  return (
    <div role="status" className="sr-only">
      {text + (times % 2 === 0 ? "" : "\u00a0")}
    </div>
  );
}
