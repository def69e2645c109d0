import { ChevronDown } from "lucide-react";
import { Button, type ButtonProps } from "../../kit/button.tsx";
import { cx } from "../../kit/cx.ts";
import { Menu } from "../../kit/menu.tsx";
import type { MenuEntry } from "../../kit/menu-entry.ts";
import { tooltip } from "../../kit/tooltip.ts";

type Props = Omit<ButtonProps, "className"> & {
  /** Undefined if only the menu is available. */
  onClick: ButtonProps["onClick"] | undefined;
  /** The name of the menu. */
  more: string;
  /** Called when the menu opens. */
  items: () => readonly MenuEntry[];
  /** On narrow screens, another menu has the variants. */
  hideMenu?: boolean;
};

const HIDDEN = "max-sm:hidden";

/** A button with a menu of variants beside it. */
export function SplitButton({
  onClick,
  more,
  items,
  children,
  icon,
  shortcut,
  hideMenu = false,
  ...look
}: Props) {
  const menu = (
    <Menu
      label={more}
      align="end"
      items={items}
      trigger={
        onClick === undefined ? (
          <Button {...look} icon={icon} className={hideMenu ? HIDDEN : undefined}>
            {more}
            <ChevronDown aria-hidden size={14} />
          </Button>
        ) : (
          <Button
            {...look}
            {...tooltip(more)}
            aria-label={more}
            icon={ChevronDown}
            className={cx("-ms-px w-7! rounded-s-none px-0!", hideMenu && HIDDEN)}
          />
        )
      }
    />
  );
  if (onClick === undefined) return menu;
  return (
    <span className="inline-flex">
      <Button
        {...look}
        icon={icon}
        shortcut={shortcut}
        className={cx("rounded-e-none", hideMenu && "max-sm:rounded-e-md max-sm:[&_kbd]:hidden")}
        onClick={onClick}
      >
        {children}
      </Button>
      {menu}
    </span>
  );
}
