import { type ReactNode, type SubmitEvent, useId } from "react";
import { ApiError } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { FormError } from "../kit/form-error.tsx";
import { reasonOf } from "./reason.ts";

type Props = {
  title: string;
  description?: ReactNode;
  /** The verb on the button. */
  submit: string;
  danger?: boolean;
  /** It cannot be sent yet. */
  disabled?: boolean;
  busy: boolean;
  dirty?: boolean;
  error: unknown;
  /** The fields that show their own errors. */
  fields?: readonly string[];
  size?: "sm" | "md" | "lg";
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog. Mounted when it opens, so that it begins afresh. */
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
  const isPlaced = error instanceof ApiError && fields.some((field) => error.of(field));
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
      // What is under way may answer with something that is told only once.
      onClose={busy ? stay : onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={id}
            variant={danger ? "danger" : "primary"}
            disabled={disabled}
            busy={busy}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={send} className="flex flex-col gap-4">
        <FormError>{error !== null && error !== undefined && !isPlaced && reasonOf(error)}</FormError>
        {children}
      </form>
    </Dialog>
  );
}

const stay = () => {};
const NONE: readonly string[] = [];

/** The words under a field. */
export function errorOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.of(field) : undefined;
}
