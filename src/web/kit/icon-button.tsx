import { Button, type ButtonProps } from "./button.tsx";
import { cx } from "./cx.ts";
import type { Icon } from "./icon.tsx";
import { type Side, tooltip } from "./tooltip.ts";

type Props = Omit<ButtonProps, "children" | "icon"> & {
  /** The accessible name and the tooltip. */
  label: string;
  icon: Icon;
  side?: Side | undefined;
};

/** A button with only an icon. `aria-pressed` makes it a toggle. */
export function IconButton({
  label,
  icon,
  shortcut,
  variant = "quiet",
  size,
  side,
  className,
  ...rest
}: Props) {
  const square = size === "sm" ? "w-7 px-0" : "w-8 px-0";
  return (
    <Button
      {...tooltip(label, { shortcut, side })}
      {...rest}
      variant={variant}
      size={size}
      icon={icon}
      aria-label={label}
      className={cx(square, "aria-pressed:bg-selected aria-pressed:text-accent-text", className)}
    />
  );
}
