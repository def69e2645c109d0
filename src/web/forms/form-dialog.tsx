import { type ReactNode, type SubmitEvent, useId } from "react";
import { ApiError } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { FormError } from "../kit/form-error.tsx";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { reasonOf } from "./reason.ts";

type Props = {
  title: string;
  description?: ReactNode;
  /** The button's label. */
  submit: string;
  danger?: boolean;
  /** Whether the form cannot be submitted yet. */
  disabled?: boolean;
  busy: boolean;
  dirty?: boolean;
  error: unknown;
  /** Fields that show their errors themselves. All other errors appear above the buttons. */
  fields?: readonly string[];
  size?: "sm" | "md" | "lg";
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog. Mount it when it opens, so that it starts empty. */
export function FormDialog({
  title,
  description,
  submit,
  danger = false,
  disabled = false,
  busy,
  dirty = false,
  error,
  fields = NONE,
  size = "md",
  onSubmit,
  onClose,
  children,
}: Props) {
  const id = useId();
  const form = useFocusInvalid(error);
  const isPlaced = error instanceof ApiError && fields.some((field) => error.messageFor(field));
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy && !disabled) onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      open
      title={title}
      description={description}
      size={size}
      dirty={dirty && !busy}
      // The response may contain a secret that is shown only once.
      onClose={busy ? stay : onClose}
      footer={
        <>
          <CancelButton disabled={busy} />
          <Button
            type="submit"
            form={id}
            variant={danger ? "danger" : "primary"}
            disabled={disabled}
            busy={busy}
            shortcut="mod+Enter"
          >
            {submit}
          </Button>
        </>
      }
    >
      <form ref={form} id={id} onSubmit={send} className="flex flex-col gap-4">
        <FormError>{error !== null && error !== undefined && !isPlaced && reasonOf(error)}</FormError>
        {children}
      </form>
      <LeaveQuestion inDialog dirty={dirty && !busy} />
    </Dialog>
  );
}

const stay = () => {};
const NONE: readonly string[] = [];

/** The error message of a field. */
export function errorOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.messageFor(field) : undefined;
}
