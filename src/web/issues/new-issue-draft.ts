import { stored } from "../state/stored.ts";

/** The content of the dialog, stored on this device until the issue is created or the draft is discarded. */
export type Draft = {
  title: string;
  description: string;
  type: 0 | 1;
  priority: number;
  laneId: number | null;
  assigneeId: number | null;
  labelIds: number[];
  sprintId: number | null;
  epicId: number | null;
  estimate: string;
};

export const EMPTY_DRAFT: Draft = {
  title: "",
  description: "",
  type: 0,
  priority: 2,
  laneId: null,
  assigneeId: null,
  labelIds: [],
  sprintId: null,
  epicId: null,
  estimate: "",
};

/** The user's draft for a project. Fields that an older version did not store get their defaults. */
export function readDraft(userId: number, projectId: number): Draft {
  return draftOf(userId, projectId).read();
}

/** Deletes the stored draft if title and description are empty. */
export function saveDraft(userId: number, projectId: number, draft: Draft): void {
  draftOf(userId, projectId).write(hasText(draft) ? draft : EMPTY_DRAFT);
}

const draftOf = (userId: number, projectId: number) =>
  stored(`draft:${userId}:issue:${projectId}`, parseDraft, EMPTY_DRAFT);

function parseDraft(value: unknown): Draft | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(value).filter(
    ([name, field]) => name in EMPTY_DRAFT && hasSameType(field, EMPTY_DRAFT[name as keyof Draft]),
  );
  return { ...EMPTY_DRAFT, ...Object.fromEntries(fields) };
}

export const hasText = ({ title, description }: Draft) => title.trim() !== "" || description.trim() !== "";

function hasSameType(value: unknown, sample: unknown): boolean {
  if (sample === null) return value === null || typeof value === "number";
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((entry) => typeof entry === "number");
  return typeof value === typeof sample;
}
