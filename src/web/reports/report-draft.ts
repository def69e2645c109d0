export type ReportDraft = { title: string; description: string };

const EMPTY: ReportDraft = { title: "", description: "" };

const keyOf = (projectId: number) => `signalbox.report-draft.${projectId}`;

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What was being written for a project; pictures are not kept. */
export function readDraft(projectId: number, storage: Kept = localStorage): ReportDraft {
  try {
    const { title, description } = JSON.parse(storage.getItem(keyOf(projectId)) ?? "{}") as Partial<
      Record<keyof ReportDraft, unknown>
    >;
    return {
      title: typeof title === "string" ? title : "",
      description: typeof description === "string" ? description : "",
    };
  } catch {
    return EMPTY;
  }
}

/** An empty draft is forgotten. A browser that keeps nothing is no reason to stop writing. */
export function keepDraft(projectId: number, draft: ReportDraft, storage: Kept = localStorage): void {
  try {
    if (draft.title === "" && draft.description === "") storage.removeItem(keyOf(projectId));
    else storage.setItem(keyOf(projectId), JSON.stringify(draft));
  } catch {
    // Full, or switched off.
  }
}
