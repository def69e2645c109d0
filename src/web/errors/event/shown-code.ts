import { store, useStore } from "../../state/store.ts";

export type ShownCode = "original" | "minified";

/** Whether mapped frames show their original code or what was sent, for all errors until the page is left. */
const shownCode = store<ShownCode>("original");

export const useShownCode = () => [useStore(shownCode), shownCode.set] as const;
