/** One list, or the lanes of a board in order: the ids in each, from the top. */
export type Lists = readonly { id: string; name: string; items: readonly string[] }[];

export type Place = { list: string; index: number };

/** What is lifted, where it came from and where it hangs now. Indexes are those it would have among the others. */
export type Lifted = { id: string; from: Place; at: Place };

export type LiftStep = {
  lifted: Lifted | null;
  /** It was put down somewhere else. */
  move?: { id: string; to: Place };
  /** What to tell. */
  say?: string;
  /** The key was ours: the page must not scroll. */
  handled: boolean;
};

/**
 * The keyboard's way to move a thing: Space lifts and drops it, arrows carry it (← → to the neighbouring list), Home and
 * End to the top and bottom, Escape puts it back. `id` has the focus.
 */
export function pressed(lifted: Lifted | null, key: string, id: string, lists: Lists): LiftStep {
  if (lifted === null) return key === " " ? lift(id, lists) : { lifted, handled: false };
  if (key === " " || key === "Enter") return drop(lifted, lists);
  if (key === "Escape")
    return { lifted: null, handled: true, say: `Put back at ${placeText(lifted.from, lifted, lists)}.` };
  const at = carried(lifted, key, lists);
  if (at === undefined) return { lifted, handled: key === "Tab" };
  if (samePlace(at, lifted.at)) return { lifted, handled: true };
  return { lifted: { ...lifted, at }, handled: true, say: `${capital(placeText(at, lifted, lists))}.` };
}

/** The lists as they look while something is lifted. */
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

/** Who stands before and after a place among the others; null at an end. For the server's neighbours. */
export function neighboursAt<T>(
  items: readonly T[],
  id: T,
  index: number,
): { before: T | null; after: T | null } {
  const others = items.filter((item) => item !== id);
  return { before: others[index - 1] ?? null, after: others[index] ?? null };
}

/** The index among the others at which a thing lands that is dropped on an edge of `target`. */
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
  const ways = lists.length > 1 ? "Arrows move it, also between lists" : "Arrows move it";
  return {
    lifted: { id, from: place, at: place },
    handled: true,
    say: `Lifted from ${placeText(place, { id }, lists)}. ${ways}, Space drops it, Escape puts it back.`,
  };
}

function drop(lifted: Lifted, lists: Lists): LiftStep {
  const say = `Dropped at ${placeText(lifted.at, lifted, lists)}.`;
  if (samePlace(lifted.at, lifted.from)) return { lifted: null, handled: true, say };
  return { lifted: null, handled: true, say, move: { id: lifted.id, to: lifted.at } };
}

function carried({ id, at }: Lifted, key: string, lists: Lists): Place | undefined {
  const here = lists.findIndex((list) => list.id === at.list);
  const room = (index: number) => lists[index]?.items.filter((item) => item !== id).length ?? 0;
  if (key === "ArrowUp") return { ...at, index: Math.max(0, at.index - 1) };
  if (key === "ArrowDown") return { ...at, index: Math.min(room(here), at.index + 1) };
  if (key === "Home") return { ...at, index: 0 };
  if (key === "End") return { ...at, index: room(here) };
  if (key !== "ArrowLeft" && key !== "ArrowRight") return undefined;
  const there = key === "ArrowLeft" ? here - 1 : here + 1;
  const list = lists[there];
  return list === undefined ? at : { list: list.id, index: Math.min(at.index, room(there)) };
}

function placeText(place: Place, { id }: { id: string }, lists: Lists): string {
  const list = lists.find((one) => one.id === place.list);
  const size = (list?.items.filter((item) => item !== id).length ?? 0) + 1;
  const where = `position ${place.index + 1} of ${size}`;
  return lists.length > 1 && list !== undefined ? `${where} in ${list.name}` : where;
}

function samePlace(a: Place, b: Place): boolean {
  return a.list === b.list && a.index === b.index;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
