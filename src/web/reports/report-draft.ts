import { stored } from "../state/stored.ts";

export type ReportDraft = { title: string; description: string };

const EMPTY: ReportDraft = { title: "", description: "" };

/** What is being written for a project. Images are not kept. */
export function readDraft(projectId: number): ReportDraft {
  return keptFor(projectId).read();
}

/** Deletes the stored draft when it is empty. */
export function keepDraft(projectId: number, draft: ReportDraft): void {
  keptFor(projectId).write(draft.title === "" && draft.description === "" ? EMPTY : draft);
}

const keptFor = (projectId: number) => stored(`signalbox.report-draft.${projectId}`, parseDraft, EMPTY);

function parseDraft(value: unknown): ReportDraft | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { title, description } = value as Partial<Record<keyof ReportDraft, unknown>>;
  return {
    title: typeof title === "string" ? title : "",
    description: typeof description === "string" ? description : "",
  };
}
