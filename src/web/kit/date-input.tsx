import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { CONTROL, useFieldControl } from "./field.tsx";

type Props = Omit<ComponentProps<"input">, "type" | "value" | "onChange"> & {
  /** `2026-11-20`, or null for none. */
  value: string | null;
  onChange: (day: string | null) => void;
};

/** A date, with the browser's own picker. */
export function DateInput({ value, onChange, className, ...rest }: Props) {
  return (
    <input
      {...useFieldControl()}
      {...rest}
      type="date"
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
      className={cx(CONTROL, "h-8", className)}
    />
  );
}
