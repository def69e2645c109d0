/** As many reads as one request of the web app combines. */
export const MAX_READS = 10;

/** Lists and things that are JSON: neither files nor the event stream, which does not end. */
const READABLE = /^\/api\/(?:profile|workspaces|projects|issues|error-groups|notifications|home)(?:[/?]|$)/;

/** Whether the server can answer a read in one response with others. */
export const isReadable = (path: string): boolean => READABLE.test(path) && !path.endsWith("/download");
