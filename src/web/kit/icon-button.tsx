import { Button, type ButtonProps } from "./button.tsx";
import { cx } from "./cx.ts";
import type { Icon } from "./icon.tsx";
import { Tooltip } from "./tooltip.tsx";

type Props = Omit<ButtonProps, "children" | "icon"> & {
  /** The accessible name and the tooltip. */
  label: string;
  icon: Icon;
  side?: "top" | "right" | "bottom" | "left" | undefined;
  /** Uses the browser's own tooltip, which costs nothing to render. For rows of long lists. */
  plain?: boolean;
};

/** A button with only an icon. `aria-pressed` makes it a toggle. */
export function IconButton({
  label,
  icon,
  shortcut,
  variant = "quiet",
  size,
  side,
  plain = false,
  className,
  ...rest
}: Props) {
  const square = size === "sm" ? "w-7 px-0" : "w-8 px-0";
  const button = (
    <Button
      {...(plain ? { title: label } : {})}
      {...rest}
      variant={variant}
      size={size}
      icon={icon}
      aria-label={label}
      className={cx(square, "aria-pressed:bg-selected aria-pressed:text-accent-text", className)}
    />
  );
  if (plain) return button;
  return (
    <Tooltip content={label} shortcut={shortcut} side={side}>
      {button}
    </Tooltip>
  );
}
