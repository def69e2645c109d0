import { store } from "../../state/store.ts";

/** Whether the list of queued changes is open. */
export const isListOpen = store(false);
