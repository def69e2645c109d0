import { type ComponentPropsWithoutRef, useLayoutEffect, useRef } from "react";
import { cx } from "./cx.ts";
import { CONTROL, growToFit, useFieldControl } from "./field.tsx";

/** A multi-line text field that grows with its content, up to 60 % of the window. */
export function Textarea({ className, rows = 4, ...rest }: ComponentPropsWithoutRef<"textarea">) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => growToFit(field.current));
  return (
    <textarea
      dir="auto"
      {...useFieldControl()}
      rows={rows}
      {...rest}
      ref={field}
      className={cx(CONTROL, "field-sizing-content max-h-[60dvh] min-h-16 py-1.5 text-read", className)}
    />
  );
}
