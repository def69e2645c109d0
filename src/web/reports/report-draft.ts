import { stored } from "../state/stored.ts";

export type ReportDraft = { title: string; description: string };

const EMPTY: ReportDraft = { title: "", description: "" };

/** The draft of a report for a project. Images are not stored. */
export function readDraft(projectId: number): ReportDraft {
  return draftOf(projectId).read();
}

/** Deletes the stored draft if it is empty. */
export function saveDraft(projectId: number, draft: ReportDraft): void {
  draftOf(projectId).write(draft.title === "" && draft.description === "" ? EMPTY : draft);
}

const draftOf = (projectId: number) => stored(`signalbox.report-draft.${projectId}`, parseDraft, EMPTY);

function parseDraft(value: unknown): ReportDraft | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { title, description } = value as Partial<Record<keyof ReportDraft, unknown>>;
  return {
    title: typeof title === "string" ? title : "",
    description: typeof description === "string" ? description : "",
  };
}
