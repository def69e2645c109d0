import type { ImportedIssue, ImportedLaneKind } from "./item.ts";

const KINDS: [ImportedLaneKind, RegExp][] = [
  [
    "done",
    /^(done|closed?|completed?|resolved|fixed|finished|shipped|released|cancell?ed|won'?t (do|fix)|rejected|duplicate|declined|archived?)$/i,
  ],
  [
    "doing",
    /^(doing|in[ -]progress|started|active|in[ -](code )?review|review|in development|testing|qa|in test)$/i,
  ],
  ["backlog", /^(backlog|icebox|triage|later|someday|proposed)$/i],
  ["todo", /^(to[ -]?do|open|new|unstarted|ready|planned|selected for development|next|reopened)$/i],
];

/** The kind of a status by its usual names; null if the name does not tell. */
export const laneKindOf = (status: string): ImportedLaneKind | null =>
  KINDS.find(([, names]) => names.test(status.trim()))?.[0] ?? null;

export const laneOfStatus = (status: string): ImportedIssue["lane"] => ({
  name: status,
  kind: laneKindOf(status),
});

const PRIORITIES: [0 | 1 | 2 | 3 | 4, RegExp][] = [
  [0, /^(0|p0|highest|urgent|critical|blocker)$/i],
  [1, /^(1|p1|high|major)$/i],
  [2, /^(2|p2|medium|normal)$/i],
  [3, /^(3|p3|low|minor)$/i],
  [4, /^(4|p4|lowest|trivial)$/i],
];

/** By the usual names; null if the name does not tell. */
export const priorityOf = (priority: string): 0 | 1 | 2 | 3 | 4 | null =>
  PRIORITIES.find(([, names]) => names.test(priority.trim()))?.[0] ?? null;
