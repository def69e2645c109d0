import { useEffect } from "react";
import { lazyPart, preloadParts } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { type AppDialog, closeDialog, openedDialog } from "../page/open-dialog.ts";
import { useStore } from "../state/store.ts";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

const Palette = lazyPart(async () => (await import("../search/palette.tsx")).Palette);
const NewIssueDialog = lazyPart(async () => (await import("../issues/new-issue-dialog.tsx")).NewIssueDialog);
const NewReportDialog = lazyPart(
  async () => (await import("../reports/new-report-dialog.tsx")).NewReportDialog,
);
const NewProjectDialog = lazyPart(
  async () => (await import("../projects/new-project-dialog.tsx")).NewProjectDialog,
);

const ViewsDialog = lazyPart(async () => (await import("../views/views-dialog.tsx")).ViewsDialog);
const SaveViewDialog = lazyPart(async () => (await import("../views/save-view-dialog.tsx")).SaveViewDialog);

/** Renders the open dialog. Also preloads all code once the first page is idle, the most used parts first. */
export function AppDialogs() {
  const dialog = useStore(openedDialog);
  useEffect(() => preloadParts([Palette, NewIssueDialog]), []);
  return (
    <LazyPopup open={dialog !== undefined} onCancel={closeDialog}>
      {dialog && <Opened dialog={dialog} />}
    </LazyPopup>
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
    case "views":
      return <ViewsDialog onClose={closeDialog} />;
    case "save-view":
      return <SaveViewDialog view={dialog} onClose={closeDialog} />;
  }
}
