/**
 * Rows of an error group: its distinct releases, hosts and user hashes. Further releases and hosts are counted as "other";
 * further users are not counted. A group may exceed this by the events that are stored at the same time.
 */
export const MAX_STORED = { releases: 10_000, hosts: 10_000, users: 1_000_000 };
