import { stored } from "./stored.ts";

/** Whether someone signed in with this browser and has not signed out since. If there is no session, it has expired. */
export const wasSignedIn = stored("signed-in", (value) => value === true, false);
