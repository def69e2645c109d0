import { store, useStore } from "../state/store.ts";

type Said = { text: string; times: number };

const said = store<Said>({ text: "", times: 0 });

/** Announces a change to screen readers, politely: "Moved to position 3 of 12". */
export function announce(text: string): void {
  said.set({ text, times: said.get().times + 1 });
}

/** Rendered once in the app. */
export function LiveRegion() {
  const { text, times } = useStore(said);
  // Screen readers repeat an identical message only if the text changes.
  return (
    <div role="status" className="sr-only">
      {text + (times % 2 === 0 ? "" : "\u00a0")}
    </div>
  );
}
