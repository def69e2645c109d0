/** Groups that are merged into another one at once. */
export const MAX_MERGED = 100;

/**
 * Users, releases and hosts that a merge moves. While it does, events of the groups return 503, so this must not take more than
 * a few seconds. Those of the group into which others are merged do not count.
 */
export const MAX_MOVED = 50_000;
