import type { SavedView } from "../../shared/saved-views.ts";
import { store } from "../state/store.ts";

/** The dialogs that any page, key or the palette may open. One at a time. */
export type AppDialog =
  | { kind: "palette"; query?: string }
  | { kind: "shortcuts" }
  | { kind: "new-issue"; laneId?: number; epicId?: number; sprintId?: number }
  | { kind: "new-report" }
  | { kind: "new-project" }
  | { kind: "views" }
  | { kind: "save-view"; page: SavedView["page"]; projectId: number | null; search: string };

/** The dialog that is open, if any. The app renders it. */
export const openedDialog = store<AppDialog | undefined>(undefined);

export function openDialog(dialog: AppDialog): void {
  openedDialog.set(dialog);
}

export function closeDialog(): void {
  openedDialog.set(undefined);
}
