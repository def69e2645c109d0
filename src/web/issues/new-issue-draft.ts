import { draftOf, parseLike } from "../state/drafts.ts";

/** The content of the dialog. */
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
  dueOn: string | null;
  parentId: number | null;
  /** The template that has filled it. */
  templateId: number | null;
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
  dueOn: null,
  parentId: null,
  templateId: null,
};

/** The user's draft for a project. Fields that an older version did not store get their defaults. */
export function readDraft(userId: number, projectId: number): Draft {
  return storedFor(userId, projectId).read();
}

export function saveDraft(userId: number, projectId: number, draft: Draft): void {
  storedFor(userId, projectId).write(draft);
}

export const deleteDraft = (userId: number, projectId: number): void =>
  saveDraft(userId, projectId, EMPTY_DRAFT);

const storedFor = (userId: number, projectId: number) =>
  draftOf(userId, `issue:${projectId}`, parseLike(EMPTY_DRAFT), EMPTY_DRAFT);

export const hasText = ({ title, description }: Draft) => title.trim() !== "" || description.trim() !== "";
