import { store } from "../state/store.ts";

/** Whether the server cannot be reached. */
export const connectionLost = store(false);
