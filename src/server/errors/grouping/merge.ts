/** The groups of a merge, all of them locked. `latestId` is the one with the latest event. */
export type Merge = { targetId: number; sourceIds: number[]; latestId: number };
