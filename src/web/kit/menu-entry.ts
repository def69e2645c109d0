import type { ReactElement } from "react";
import type { Icon } from "./icon.tsx";

export type MenuItem = {
  label: string;
  icon?: Icon | undefined;
  /** Keys as the catalogue writes them. */
  shortcut?: string | undefined;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Shown with a check, or the room for one. */
  checked?: boolean | undefined;
  onSelect?: (() => void) | undefined;
  /** What it opens takes the focus at once: the menu does not give it back to its button. */
  takesFocus?: boolean | undefined;
  /** A link, such as the router's, instead of `onSelect`. */
  link?: ReactElement | undefined;
  /** A submenu instead of `onSelect`. */
  items?: readonly MenuEntry[] | undefined;
};

export type MenuEntry = MenuItem | { heading: string } | "separator" | false | null | undefined;
