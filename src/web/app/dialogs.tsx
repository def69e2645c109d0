import { lazyRouteComponent } from "@tanstack/react-router";
import { Suspense, useEffect, useSyncExternalStore } from "react";
import { ShortcutSheet } from "./shortcut-sheet.tsx";
import { OnItsWay } from "../kit/on-its-way.tsx";

/** The dialogs that any page, key or the palette may open. One at a time; their code is loaded apart from the page's. */
export type AppDialog =
  | { kind: "palette"; query?: string }
  | { kind: "shortcuts" }
  | { kind: "new-issue"; laneId?: number; epicId?: number; sprintId?: number }
  | { kind: "new-report" }
  | { kind: "new-project" };

let open: AppDialog | undefined;
const listeners = new Set<() => void>();

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

const Palette = lazyRouteComponent(() => import("../search/palette.tsx"), "Palette");
const NewIssueDialog = lazyRouteComponent(() => import("../issues/new-issue-dialog.tsx"), "NewIssueDialog");
const NewReportDialog = lazyRouteComponent(
  () => import("../reports/new-report-dialog.tsx"),
  "NewReportDialog",
);
const NewProjectDialog = lazyRouteComponent(
  () => import("../projects/new-project-dialog.tsx"),
  "NewProjectDialog",
);

/** When the page has come to rest: what is opened most often opens at once then. */
const PRELOAD_MS = 2_000;

export function AppDialogs() {
  const dialog = useSyncExternalStore(subscribe, () => open);
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.all([Palette.preload?.(), NewIssueDialog.preload?.()]),
      PRELOAD_MS,
    );
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense fallback={<OnItsWay onEscape={closeDialog} />}>{dialog && <Opened dialog={dialog} />}</Suspense>
  );
}

function Opened({ dialog }: { dialog: AppDialog }) {
  switch (dialog.kind) {
    case "palette":
      return <Palette query={dialog.query ?? ""} onClose={closeDialog} />;
    case "shortcuts":
      return <ShortcutSheet onClose={closeDialog} />;
    case "new-issue":
      return <NewIssueDialog start={dialog} onClose={closeDialog} />;
    case "new-report":
      return <NewReportDialog onClose={closeDialog} />;
    case "new-project":
      return <NewProjectDialog onClose={closeDialog} />;
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
