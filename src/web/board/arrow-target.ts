import type { Lists } from "../lists/lift.ts";

/** The card that an arrow key leads to: up and down within the lane, left and right to the next lane that has cards. */
export function arrowTarget(lists: Lists, id: string, key: string): string | undefined {
  const lane = lists.findIndex(({ items }) => items.includes(id));
  const index = lists[lane]?.items.indexOf(id) ?? -1;
  if (key === "ArrowUp") return lists[lane]?.items[index - 1];
  if (key === "ArrowDown") return lists[lane]?.items[index + 1];
  const by = key === "ArrowRight" ? 1 : -1;
  for (let at = lane + by; at >= 0 && at < lists.length; at += by) {
    const items = lists[at]?.items ?? [];
    if (items.length > 0) return items[Math.min(index, items.length - 1)];
  }
  return undefined;
}

export const isArrow = (key: string): boolean =>
  ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(key);
