import type { MenuEntry } from "../kit/menu-entry.ts";

/** The menu's way to move a thing in its list: to the top, up, down, to the bottom. `onMove` gets the index among the others. */
export function moveEntries(index: number, count: number, onMove: (index: number) => void): MenuEntry[] {
  const first = index <= 0;
  const last = index >= count - 1;
  return [
    { label: "Move to top", disabled: first, onSelect: () => onMove(0) },
    { label: "Move up", shortcut: "alt+ArrowUp", disabled: first, onSelect: () => onMove(index - 1) },
    { label: "Move down", shortcut: "alt+ArrowDown", disabled: last, onSelect: () => onMove(index + 1) },
    { label: "Move to bottom", disabled: last, onSelect: () => onMove(count - 1) },
  ];
}
