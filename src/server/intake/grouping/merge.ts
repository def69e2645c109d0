/** The groups of a merge, all locked. `latestId` is the one whose event was received last. */
export type Merge = { targetId: number; sourceIds: number[]; latestId: number };
