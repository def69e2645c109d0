/**
 * The cookie that tells the web app that a session was opened without it: what the browser has kept of the person before must not
 * be shown.
 */
export const NEW_SESSION = "new_session";
