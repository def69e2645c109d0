import { createElement, isValidElement, type ReactElement } from "react";
import type { LucideIcon } from "lucide-react";

/** A lucide-react icon (`icon={Plus}`) or an element such as an avatar. */
export type Icon = LucideIcon | ReactElement;

/** The icon in a fixed size, hidden from screen readers unless it has a name. */
export function IconSlot({ icon, size = 16 }: { icon: Icon | undefined; size?: number }) {
  if (icon === undefined) return null;
  return isValidElement(icon) ? icon : createElement(icon, { size, strokeWidth: 1.75, "aria-hidden": true });
}
