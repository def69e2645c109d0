import { jsx } from "react/jsx-runtime";
import { store, useStore } from "../../state/store.ts";

type Said = { text: string; times: number };

const said = store<Said>({ text: "", times: 0 });

/** Announces a change to screen readers, politely: "Moved to position 3 of 12". */
export function announce(text: string): void {
  said.set({ text, times: said.get().times + 1 });
}

/** Rendered once in the app. Without JSX, because unit tests load this file through modules that call `announce`. */
export function LiveRegion() {
  const { text, times } = useStore(said);
  // Screen readers repeat an identical message only if the text changes.
  return jsx("div", {
    role: "status",
    // Implied by the role, but modal dialogs hide the rest of the page except for elements with this attribute.
    "aria-live": "polite",
    className: "sr-only",
    children: text + (times % 2 === 0 ? "" : "\u00a0"),
  });
}
