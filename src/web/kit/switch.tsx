import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

type Props = Omit<ComponentProps<"input">, "type" | "checked" | "onChange" | "children"> & {
  label: ReactNode;
  hideLabel?: boolean | undefined;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** A setting that is saved as soon as it is changed. */
export function Switch({ label, hideLabel = false, hint, checked, onChange, className, ...rest }: Props) {
  const id = useId();
  return (
    <label className={cx("flex items-start justify-between gap-4", className)}>
      <span className={hideLabel ? "sr-only" : "min-w-0"}>
        {label}
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-sm text-text-3">
            {hint}
          </span>
        )}
      </span>
      <span className="relative my-[-2px] inline-flex h-6 shrink-0 items-center">
        <input
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          {...rest}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells its own state
          role="switch"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="peer h-5 w-9 appearance-none rounded-full border border-line-strong bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:opacity-50 forced-colors:appearance-auto"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute start-[3px] size-3.5 rounded-full bg-line-strong transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent forced-colors:hidden"
        />
      </span>
    </label>
  );
}
