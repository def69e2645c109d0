import { createElement, isValidElement, type ReactElement } from "react";
import type { LucideIcon } from "lucide-react";

/** An icon of lucide-react (`icon={Plus}`), or an element such as a mark or an avatar. */
export type Icon = LucideIcon | ReactElement;

/** The icon in its size, hidden from screen readers unless it brings a name. */
export function IconSlot({ icon, size = 16 }: { icon: Icon | undefined; size?: number }) {
  if (icon === undefined) return null;
  return isValidElement(icon) ? icon : createElement(icon, { size, strokeWidth: 1.75, "aria-hidden": true });
}
