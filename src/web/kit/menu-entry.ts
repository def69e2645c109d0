import type { ReactElement } from "react";
import type { Icon } from "./icon.tsx";

export type MenuItem = {
  label: string;
  /** A line below the label that explains it. */
  hint?: string | undefined;
  icon?: Icon | undefined;
  /** In the catalog's notation. */
  shortcut?: string | undefined;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Shows a check mark, or reserves space for one. */
  checked?: boolean | undefined;
  /** Only one of the entries beside it is checked at a time. */
  exclusive?: boolean | undefined;
  onSelect?: (() => void) | undefined;
  /** The entry opens something that takes the focus, so the menu must not return it to its button. */
  takesFocus?: boolean | undefined;
  /** Used instead of `onSelect`. */
  link?: ReactElement | undefined;
  /** A submenu, used instead of `onSelect`. */
  items?: readonly MenuEntry[] | undefined;
};

/** A heading names the entries up to the next heading or separator. */
export type MenuEntry = MenuItem | { heading: string } | "separator" | false | null | undefined;
