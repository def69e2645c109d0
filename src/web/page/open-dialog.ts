/** The dialogs that any page, key or the palette may open. One at a time. */
export type AppDialog =
  | { kind: "palette"; query?: string }
  | { kind: "shortcuts" }
  | { kind: "new-issue"; laneId?: number; epicId?: number; sprintId?: number }
  | { kind: "new-report" }
  | { kind: "new-project" };

let open: AppDialog | undefined;
const listeners = new Set<() => void>();

export const openedDialog = (): AppDialog | undefined => open;

export function openDialog(dialog: AppDialog): void {
  set(dialog);
}

export function closeDialog(): void {
  set(undefined);
}

function set(dialog: AppDialog | undefined) {
  open = dialog;
  for (const listener of listeners) listener();
}

export function subscribeDialog(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
