import type { ComponentProps } from "react";
import { ChevronsUpDown } from "lucide-react";
import { cx } from "./cx.ts";
import { CONTROL, useFieldControl } from "./field.tsx";

type Option = { value: string; label: string; disabled?: boolean | undefined };

/** A native select for up to a dozen options. Use `Combobox` for more, or for search. */
export function Select({
  options,
  className,
  children,
  ...rest
}: ComponentProps<"select"> & { options?: readonly Option[] }) {
  return (
    <span className={cx("relative block min-w-0", className)}>
      <select {...useFieldControl()} {...rest} className={cx(CONTROL, "h-8 appearance-none pe-7")}>
        {options?.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
        {children}
      </select>
      <ChevronsUpDown size={14} className="pointer-events-none absolute end-2 top-[9px] text-text-3" />
    </span>
  );
}
