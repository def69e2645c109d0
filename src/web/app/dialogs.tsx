import { type ComponentType, useEffect } from "react";
import { preloadCombobox } from "../kit/combobox.tsx";
import { preloadDialog } from "../kit/dialog.tsx";
import { lazyPart, preloadParts } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { preloadMenu } from "../kit/menu.tsx";
import { type AppDialog, closeDialog, openedDialog } from "../page/open-dialog.ts";
import { useStore } from "../state/store.ts";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

/** A dialog, and the code that all dialogs share, which would otherwise be requested only when this one is rendered. */
const dialogPart = <Props extends object>(importPart: () => Promise<ComponentType<Props>>) =>
  lazyPart(() => {
    preloadDialog();
    return importPart();
  });

const Palette = dialogPart(async () => (await import("../search/palette.tsx")).Palette);
const NewIssueDialog = dialogPart(
  async () => (await import("../issues/new-issue-dialog.tsx")).NewIssueDialog,
);
const NewReportDialog = dialogPart(
  async () => (await import("../reports/new-report-dialog.tsx")).NewReportDialog,
);
const NewProjectDialog = dialogPart(
  async () => (await import("../projects/new-project-dialog.tsx")).NewProjectDialog,
);

const ViewsDialog = dialogPart(async () => (await import("../views/views-dialog.tsx")).ViewsDialog);
const SaveViewDialog = dialogPart(async () => (await import("../views/save-view-dialog.tsx")).SaveViewDialog);

/** Menus and pickers, which most pages have. */
const POPUPS = {
  preload: async () => {
    preloadMenu();
    preloadCombobox();
  },
};

/** Renders the open dialog. Also preloads all code once the first page is idle, the most used parts first. */
export function AppDialogs() {
  const dialog = useStore(openedDialog);
  useEffect(() => preloadParts([Palette, POPUPS, NewIssueDialog]), []);
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
