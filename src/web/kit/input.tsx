import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { CONTROL, useFieldControl } from "./field.tsx";
import { type Icon, IconSlot } from "./icon.tsx";

/** A single-line text field. `icon` is shown inside the frame, before the text. */
export function Input({ className, icon, ...rest }: ComponentProps<"input"> & { icon?: Icon }) {
  const control = (
    <input
      dir="auto"
      {...useFieldControl()}
      {...rest}
      className={cx(CONTROL, "h-8", icon !== undefined && "ps-8", className)}
    />
  );
  if (icon === undefined) return control;
  return (
    <span className="relative block min-w-0">
      <span className="pointer-events-none absolute inset-y-0 start-2 flex items-center text-text-3">
        <IconSlot icon={icon} size={14} />
      </span>
      {control}
    </span>
  );
}
