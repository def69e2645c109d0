import { draftOf, parseLike } from "../state/drafts.ts";

export type ReportDraft = { title: string; description: string };

const EMPTY: ReportDraft = { title: "", description: "" };

/** The person's draft of a report for a project. Images are not stored. */
export function readDraft(userId: number, projectId: number): ReportDraft {
  return storedFor(userId, projectId).read();
}

/** Deletes the stored draft if it is empty. */
export function saveDraft(userId: number, projectId: number, draft: ReportDraft): void {
  storedFor(userId, projectId).write(draft.title === "" && draft.description === "" ? EMPTY : draft);
}

const storedFor = (userId: number, projectId: number) =>
  draftOf(userId, `report:${projectId}`, parseLike(EMPTY), EMPTY);
