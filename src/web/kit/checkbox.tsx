import { type ComponentProps, type ReactNode, useId } from "react";
import { Check, Minus } from "lucide-react";
import { cx } from "./cx.ts";

type Props = Omit<ComponentProps<"input">, "type" | "children"> & {
  label: ReactNode;
  /** Hides the label visually, for example in a row. */
  hideLabel?: boolean | undefined;
  hint?: ReactNode;
  /** Some, but not all, of the items it stands for are selected. */
  mixed?: boolean | undefined;
};

/** A choice that is submitted with a form. Use `Switch` for changes that apply immediately. */
export function Checkbox({ label, hideLabel = false, hint, mixed = false, className, ...rest }: Props) {
  const id = useId();
  const setMixed = (input: HTMLInputElement | null) => {
    if (input !== null) input.indeterminate = mixed;
  };
  return (
    <label className={cx("inline-flex items-start", !hideLabel && "gap-2", className)}>
      <span className="relative -m-1 inline-flex shrink-0 p-1">
        <input
          ref={setMixed}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          {...rest}
          type="checkbox"
          className="peer m-0.5 size-4 appearance-none rounded-sm border border-line-strong bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50 forced-colors:appearance-auto"
        />
        {/* Lists render a checkbox in each row. One that is off needs no icons. */}
        {rest.checked !== false && (
          <Check
            size={12}
            strokeWidth={3}
            className="pointer-events-none absolute top-2 left-2 hidden text-on-accent peer-checked:block peer-indeterminate:hidden forced-colors:hidden!"
          />
        )}
        {mixed && (
          <Minus
            size={12}
            strokeWidth={3}
            className="pointer-events-none absolute top-2 left-2 hidden text-on-accent peer-indeterminate:block forced-colors:hidden!"
          />
        )}
      </span>
      <span className={hideLabel ? "sr-only" : "min-w-0"}>
        {label}
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-sm text-text-3">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
