/** One list, or the lanes of a board in order, each with the ids of its items from the top. */
export type Lists = readonly { id: string; name: string; items: readonly string[] }[];

export type ListPosition = { list: string; index: number };

/** The lifted item, where it came from and where it is now. Indexes do not count the item itself. */
export type Lifted = { id: string; from: ListPosition; at: ListPosition };

export type LiftStep = {
  lifted: Lifted | null;
  /** Set if the item was dropped at another position. */
  move?: { id: string; to: ListPosition };
  /** To announce to screen readers. */
  say?: string;
  /** The key was used: prevent its default, such as scrolling. */
  handled: boolean;
};

/**
 * Moves an item with the keyboard: Space lifts and drops it, arrows move it (← → to the adjacent list), Home and End
 * move it to the top and the bottom, Escape cancels. `id` has the focus.
 */
export function pressed(lifted: Lifted | null, key: string, id: string, lists: Lists): LiftStep {
  if (lifted === null) return key === " " ? lift(id, lists) : { lifted, handled: false };
  if (key === " " || key === "Enter") return drop(lifted, lists);
  if (key === "Escape")
    return {
      lifted: null,
      handled: true,
      say: `Move canceled. Back at ${placeText(lifted.from, lifted, lists)}.`,
    };
  const at = movedBy(lifted, key, lists);
  if (at === undefined) return { lifted, handled: key === "Tab" };
  if (samePlace(at, lifted.at)) return { lifted, handled: true };
  return { lifted: { ...lifted, at }, handled: true, say: `${capital(placeText(at, lifted, lists))}.` };
}

/** The lists with the lifted item at its current position. */
export function previewOf(lists: Lists, lifted: Lifted | null): Lists {
  if (lifted === null) return lists;
  return lists.map((list) => {
    const others = list.items.filter((item) => item !== lifted.id);
    return {
      ...list,
      items: list.id === lifted.at.list ? others.toSpliced(lifted.at.index, 0, lifted.id) : others,
    };
  });
}

/** The items before and after an index that does not count `id` itself; null at an end. */
export function neighborsAt<T>(
  items: readonly T[],
  id: T,
  index: number,
): { before: T | null; after: T | null } {
  const others = items.filter((item) => item !== id);
  return { before: others[index - 1] ?? null, after: others[index] ?? null };
}

/** The index, not counting `id` itself, at which it lands when dropped on an edge of `target`. */
export function indexAtEdge<T>(items: readonly T[], id: T, target: T, edge: "before" | "after"): number {
  const others = items.filter((item) => item !== id);
  const index = others.indexOf(target);
  if (index === -1) return Math.max(0, items.indexOf(id));
  return edge === "before" ? index : index + 1;
}

function lift(id: string, lists: Lists): LiftStep {
  const list = lists.find(({ items }) => items.includes(id));
  if (list === undefined) return { lifted: null, handled: false };
  const place = { list: list.id, index: list.items.indexOf(id) };
  const hint =
    lists.length > 1 ? "Use the arrow keys to move it, also between lists" : "Use the arrow keys to move it";
  return {
    lifted: { id, from: place, at: place },
    handled: true,
    say: `Lifted from ${placeText(place, { id }, lists)}. ${hint}, Space to drop it, Escape to cancel.`,
  };
}

function drop(lifted: Lifted, lists: Lists): LiftStep {
  const say = `Dropped at ${placeText(lifted.at, lifted, lists)}.`;
  if (samePlace(lifted.at, lifted.from)) return { lifted: null, handled: true, say };
  return { lifted: null, handled: true, say, move: { id: lifted.id, to: lifted.at } };
}

function movedBy({ id, at }: Lifted, key: string, lists: Lists): ListPosition | undefined {
  const here = lists.findIndex((list) => list.id === at.list);
  const sizeOf = (index: number) => lists[index]?.items.filter((item) => item !== id).length ?? 0;
  if (key === "ArrowUp") return { ...at, index: Math.max(0, at.index - 1) };
  if (key === "ArrowDown") return { ...at, index: Math.min(sizeOf(here), at.index + 1) };
  if (key === "Home") return { ...at, index: 0 };
  if (key === "End") return { ...at, index: sizeOf(here) };
  if (key !== "ArrowLeft" && key !== "ArrowRight") return undefined;
  const target = key === "ArrowLeft" ? here - 1 : here + 1;
  const list = lists[target];
  return list === undefined ? at : { list: list.id, index: Math.min(at.index, sizeOf(target)) };
}

function placeText(place: ListPosition, { id }: { id: string }, lists: Lists): string {
  const list = lists.find(({ id: listId }) => listId === place.list);
  const size = (list?.items.filter((item) => item !== id).length ?? 0) + 1;
  const where = `position ${place.index + 1} of ${size}`;
  return lists.length > 1 && list !== undefined ? `${where} in ${list.name}` : where;
}

function samePlace(a: ListPosition, b: ListPosition): boolean {
  return a.list === b.list && a.index === b.index;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
