/** The cookie with the key of the project that the browser opened most recently. */
export const RECENT_PROJECT = "recent_project";
