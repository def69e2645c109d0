import { lazyRouteComponent } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { OnItsWay } from "../kit/on-its-way.tsx";
import { type AppDialog, closeDialog, openedDialog } from "../page/open-dialog.ts";
import { useStore } from "../state/store.ts";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

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
  const dialog = useStore(openedDialog);
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
