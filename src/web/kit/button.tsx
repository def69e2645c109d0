import type { ComponentProps, MouseEvent } from "react";
import { cx } from "./cx.ts";
import { type Icon, IconSlot } from "./icon.tsx";
import { Kbd } from "./kbd.tsx";
import { Spinner } from "./spinner.tsx";

export type ButtonLook = {
  variant?: "primary" | "default" | "quiet" | "danger" | undefined;
  size?: "sm" | "md" | undefined;
  className?: string | undefined;
};

export type ButtonProps = ComponentProps<"button"> &
  ButtonLook & {
    /** While a request is in flight, the button keeps its focus and does nothing. */
    busy?: boolean | undefined;
    icon?: Icon | undefined;
    /** Keys in the catalog's notation, shown as a hint. */
    shortcut?: string | undefined;
  };

/** 32 px high (`sm`: 28). The default type is `button`. */
export function Button({
  variant,
  size,
  busy = false,
  icon,
  shortcut,
  className,
  children,
  ...rest
}: ButtonProps) {
  const { disabled, onClick, ...others } = rest;
  return (
    <button
      type="button"
      {...others}
      disabled={disabled}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, className })}
      onClick={busy ? hold : onClick}
    >
      {busy ? <Spinner /> : <IconSlot icon={icon} />}
      {children}
      {shortcut !== undefined && <Kbd silent keys={shortcut} className="-me-1 opacity-80" />}
    </button>
  );
}

/** A button's classes, for a link: `<Link className={buttonClass({ variant: "primary" })}>`. */
export function buttonClass({ variant = "default", size = "md", className }: ButtonLook = {}): string {
  return cx(BASE, size === "md" ? "h-8 px-3" : "h-7 px-2 text-sm", VARIANTS[variant], className);
}

/**
 * A link that leaves the app or downloads a file, styled as a button. For links within the app, use the router's link
 * with `buttonClass`.
 */
export function LinkButton({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<"a"> & ButtonLook & { icon?: Icon | undefined }) {
  return (
    <a {...rest} className={buttonClass({ variant, size, className })}>
      <IconSlot icon={icon} />
      {children}
    </a>
  );
}

const BASE =
  "button inline-flex shrink-0 items-center justify-center gap-2 rounded-md border text-base font-medium whitespace-nowrap select-none print:hidden transition-colors duration-100 disabled:opacity-50 aria-disabled:opacity-70 [&_svg]:shrink-0";

const VARIANTS = {
  primary:
    "border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover",
  default: "border-line bg-surface text-text enabled:hover:bg-hover [a&]:hover:bg-hover",
  quiet: "border-transparent text-text-2 enabled:hover:bg-hover enabled:hover:text-text [a&]:hover:bg-hover",
  danger:
    "border-transparent bg-danger text-on-danger enabled:hover:bg-danger-hover [a&]:hover:bg-danger-hover",
} as const;

function hold(event: MouseEvent) {
  event.preventDefault();
}
