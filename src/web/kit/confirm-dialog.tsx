import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FormError } from "./form-error.tsx";
import { announce } from "./notices/live-region.ts";

type Props = {
  open: boolean;
  onClose: () => void;
  /** A question that names the object: "Delete WEB-12?" */
  title: string;
  /** The consequence: "This also deletes its 4 comments and 2 attachments." */
  children: ReactNode;
  /** The verb on the button: "Delete issue". */
  confirm: string;
  /** Announced to screen readers after the dialog has closed, if no toast says it: "Label bug deleted". */
  done?: string | undefined;
  /** The other button. The default is "Cancel". */
  cancel?: string;
  tone?: "danger" | "primary";
  /** The dialog closes when it resolves and shows the error when it rejects. */
  onConfirm: () => void | Promise<unknown>;
  /** Called after the dialog has closed and returned the focus. */
  onDone?: (() => void) | undefined;
};

/** Asks before an action that cannot be undone. Cancel has the focus. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  done,
  cancel: cancelLabel = "Cancel",
  tone = "danger",
  onConfirm,
  onDone,
}: Props) {
  const { busy, error, close, run } = useConfirmation({ onClose, onConfirm, onDone, done });
  const cancel = useRef<HTMLButtonElement>(null);

  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      size="sm"
      role="alertdialog"
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} shortcut="Escape" onClick={close}>
            {cancelLabel}
          </Button>
          <Button variant={tone} busy={busy} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-text-2">
        <div>{children}</div>
        <FormError>{error}</FormError>
      </div>
    </Dialog>
  );
}

/** Runs the action, and closes the dialog once it has succeeded. */
function useConfirmation({
  onClose,
  onConfirm,
  onDone,
  done,
}: Pick<Props, "onClose" | "onConfirm" | "onDone" | "done">) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const close = () => {
    setError(null);
    onClose();
  };
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      flushSync(close);
      // The dialog returns the focus in a microtask that was queued before this one.
      queueMicrotask(() => {
        if (done !== undefined) announce(done);
        onDone?.();
      });
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : "Something went wrong. Try again.");
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, close, run };
}
