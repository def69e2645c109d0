/** What is entered in the dialog, kept on this device until the issue is created or the draft discarded. */
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

/** A person's draft for a project; what an older version of the page kept is completed. */
export function readDraft(person: number, projectId: number): Draft {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey(person, projectId)) ?? "{}");
    const kept = Object.entries(typeof read === "object" && read !== null ? read : {}).filter(
      ([name, value]) => name in EMPTY_DRAFT && hasSameForm(value, EMPTY_DRAFT[name as keyof Draft]),
    );
    return { ...EMPTY_DRAFT, ...Object.fromEntries(kept) };
  } catch {
    // Storage is closed, or holds something else.
    return EMPTY_DRAFT;
  }
}

/** Forgets it when nothing was written. */
export function keepDraft(person: number, projectId: number, draft: Draft): void {
  try {
    if (isWritten(draft)) localStorage.setItem(storageKey(person, projectId), JSON.stringify(draft));
    else localStorage.removeItem(storageKey(person, projectId));
  } catch {
    // Storage is closed: the dialog itself still has it.
  }
}

export const isWritten = ({ title, description }: Draft) => title.trim() !== "" || description.trim() !== "";

const storageKey = (person: number, projectId: number) => `draft:${person}:issue:${projectId}`;

function hasSameForm(value: unknown, form: unknown): boolean {
  if (form === null) return value === null || typeof value === "number";
  if (Array.isArray(form)) return Array.isArray(value) && value.every((entry) => typeof entry === "number");
  return typeof value === typeof form;
}
