/** The most groups that one request merges into another group. */
export const MAX_MERGED = 100;

/**
 * The most users, releases and hosts that a merge moves; those of the target do not count. Events of the groups return 503 during
 * a merge, so it must not take more than a few seconds.
 */
export const MAX_MOVED = 50_000;
