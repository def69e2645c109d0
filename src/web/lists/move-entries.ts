import type { MenuEntry } from "../kit/menu-entry.ts";

/** Menu entries that move an item in its list. `onMove` gets an index that does not count the item itself. */
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
