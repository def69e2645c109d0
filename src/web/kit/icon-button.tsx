import { Button, type ButtonProps } from "./button.tsx";
import { cx } from "./cx.ts";
import type { Icon } from "./icon.tsx";
import { Tooltip } from "./tooltip.tsx";

type Props = Omit<ButtonProps, "children" | "icon"> & {
  /** Its name, and its tooltip. */
  label: string;
  icon: Icon;
  side?: "top" | "right" | "bottom" | "left" | undefined;
  /** In the rows of a long list: the browser's own tooltip, which takes no time to set up. */
  plain?: boolean;
};

/** A button that is one icon. `aria-pressed` makes it a toggle. */
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
