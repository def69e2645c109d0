import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/**
 * The box of a search field in the second row of a header. If the row is narrow, the field is an icon that takes the whole row
 * while it has the focus.
 */
export function ToolSearch({ children }: { children: ReactNode }) {
  return (
    <search className={cx("block w-44 shrink-0 [&_input]:h-7! [&_input]:text-sm", MEDIUM, NARROW, TOUCH)}>
      {children}
    </search>
  );
}

const MEDIUM = "@max-[960px]/tools:w-36 @max-[960px]/tools:[&_input]:pe-1!";
const NARROW = [
  "@max-[600px]/tools:w-7",
  "@max-[600px]/tools:focus-within:absolute @max-[600px]/tools:focus-within:inset-x-0 @max-[600px]/tools:focus-within:z-10 @max-[600px]/tools:focus-within:w-auto",
  "@max-[600px]/tools:[&_input:not(:focus)]:cursor-pointer @max-[600px]/tools:[&_input:not(:focus)]:px-0",
  "@max-[600px]/tools:[&_input:not(:focus)]:border-transparent @max-[600px]/tools:[&_input:not(:focus)]:bg-transparent",
  "@max-[600px]/tools:[&_input:not(:focus)]:text-transparent @max-[600px]/tools:[&_input:not(:focus)]:placeholder:text-transparent",
  "@max-[600px]/tools:[&_input:not(:focus,:placeholder-shown)]:border-accent",
  "@max-[600px]/tools:[&_input:not(:focus)::-webkit-search-cancel-button]:hidden",
].join(" ");

/** A finger needs 44 px, which moves the icon to the middle of the folded field. */
const TOUCH = [
  "pointer-coarse:[&_input]:h-11! pointer-coarse:@min-[600px]/tools:w-44",
  "pointer-coarse:@max-[600px]/tools:w-11 pointer-coarse:@max-[600px]/tools:last:-me-2",
  "pointer-coarse:@max-[600px]/tools:focus-within:me-0 pointer-coarse:@max-[600px]/tools:focus-within:w-auto",
  "pointer-coarse:@max-[600px]/tools:[&:not(:focus-within)_span_span]:start-[15px]",
].join(" ");
