import { stored } from "./stored.ts";

/** Whether someone was signed in in this browser and has not signed out: without a session, theirs has ended. */
export const wasSignedIn = stored("signed-in", (value) => value === true, false);
