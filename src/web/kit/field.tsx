import { createContext, type ReactNode, use, useId, useMemo } from "react";
import { CircleAlert } from "lucide-react";
import { cx } from "./cx.ts";

type Props = {
  label: string;
  /** Help text below the control. */
  hint?: ReactNode;
  /** The validation error, for example from the server's 422. */
  error?: string | undefined;
  required?: boolean | undefined;
  /** Shows "optional" beside the label. */
  optional?: boolean | undefined;
  /** Hides the label visually. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
};

type Wiring = {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
};

const FieldContext = createContext<Wiring | null>(null);

/** Connects a label, a control, its hint and its error by ids. */
export function Field({
  label,
  hint,
  error,
  required = false,
  optional = false,
  hideLabel = false,
  className,
  children,
}: Props) {
  const id = useId();
  const invalid = error !== undefined && error !== "";
  const hasHint = hint !== undefined && hint !== null;
  const described = cx(hasHint && `${id}-hint`, invalid && `${id}-error`);
  const wiring = useMemo(
    () => ({ id, labelId: `${id}-label`, describedBy: described || undefined, invalid, required }),
    [id, described, invalid, required],
  );
  return (
    <FieldContext value={wiring}>
      <div className={cx("flex min-w-0 flex-col gap-1", className)}>
        <label id={wiring.labelId} htmlFor={id} className={hideLabel ? "sr-only" : "font-medium"}>
          {label}
          {optional && <span className="ms-1 font-normal text-text-3">optional</span>}
        </label>
        {children}
        {hasHint && (
          <p id={`${id}-hint`} className="text-sm text-text-3">
            {hint}
          </p>
        )}
        {invalid && (
          <p id={`${id}-error`} className="flex items-start gap-1 text-sm text-danger">
            <CircleAlert size={14} className="mt-px shrink-0" />
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

/** Attributes a control takes from the surrounding field. Its own attributes override them. */
export function useFieldControl() {
  const wiring = use(FieldContext);
  if (wiring === null) return {};
  return {
    id: wiring.id,
    "aria-describedby": wiring.describedBy,
    "aria-invalid": wiring.invalid || undefined,
    "aria-required": wiring.required || undefined,
  };
}

/** The id of the field's label, for `aria-labelledby`. */
export function useFieldLabel(): string | undefined {
  return use(FieldContext)?.labelId;
}

/** Classes shared by all text and picker controls. The bottom line has the contrast of 3 : 1 that shows where a field is. */
export const CONTROL =
  "w-full min-w-0 rounded-md border border-line border-b-line-strong bg-surface px-2 text-base text-text hover:border-line-strong focus-visible:border-line-strong focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-text-3 aria-invalid:border-danger";

/** Makes a text field as high as its content. For browsers without `field-sizing`, which does the same. */
export function growToFit(field: HTMLTextAreaElement | null): void {
  if (field === null || CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}
