import { use } from "react";
import { Button } from "./button.tsx";
import { CloseDialog } from "./close-dialog.ts";
import type { DialogProps } from "./dialog-popup.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { LazyPopup } from "./lazy-popup.tsx";
import { useOpen } from "./use-open.ts";

const DialogPopup = lazyPart(async () => (await import("./dialog-popup.tsx")).DialogPopup);

/** Loads the code of dialogs, while that of one of them loads. */
export const preloadDialog = () => void DialogPopup.preload().catch(() => {});

/**
 * A modal dialog: traps the focus, returns it on close, closes with Esc, and submits its form with ⌘↵. On a phone it is a
 * bottom sheet. Its code is loaded when the first one opens, because it is a quarter of the frame's.
 */
export function Dialog(props: DialogProps) {
  const [isOpen, , wasOpened] = useOpen(props.open, undefined);
  if (!wasOpened) return null;
  return (
    <LazyPopup open={isOpen} onCancel={props.onClose}>
      <DialogPopup {...props} />
    </LazyPopup>
  );
}

/** Closes the dialog from its footer, after asking if it is dirty. */
export function CancelButton({ disabled = false }: { disabled?: boolean }) {
  return (
    <Button shortcut="Escape" disabled={disabled} onClick={use(CloseDialog)}>
      Cancel
    </Button>
  );
}
