import { Component, type RefObject } from "react";
import { isChangedSince, lastChange } from "../state/changed-rows.ts";

const MOVE = { id: "move", duration: 160, easing: "ease-out" };
const TINT = { id: "changed", duration: 600, easing: "ease-out" };

/** If more rows than this appear and disappear at once, it is another list, such as that of another filter. */
const MAX_OTHERS = 4;
/** How far a row slides in that comes from another list, in pixels: that list may be out of view or clip the row. */
const FROM_OTHER_LIST = 24;

type Props = {
  /** Around the rows, which are list items with a `data-row` inside. */
  region: RefObject<HTMLElement | null>;
  /** Another object whenever rows may have moved or changed. */
  order: unknown;
  /** What the rows show, as in live changes. */
  kind: string | undefined;
};

type Place = { left: number; top: number; list: Element | null };

/**
 * Lets rows and cards slide to their new places, and tints those that somebody else has changed. Does nothing for people who
 * prefer reduced motion. It is a class because only classes can measure the page right before it changes.
 */
export class RowMotion extends Component<Props> {
  #seen = lastChange();

  override getSnapshotBeforeUpdate({ order }: Props): Map<string, Place> | null {
    return order === this.props.order || prefersNoMotion() ? null : placesOf(this.#rows());
  }

  override componentDidUpdate(_before: Props, _state: unknown, before: Map<string, Place> | null): void {
    if (before === null) return;
    const rows = this.#rows();
    const after = placesOf(rows);
    const others = after.size + before.size - 2 * [...after.keys()].filter((key) => before.has(key)).length;
    if (others <= MAX_OTHERS) for (const [key, row] of rows) slide(row, before.get(key), after.get(key));
    const { kind } = this.props;
    if (kind !== undefined)
      for (const [key, row] of rows) if (isChangedSince(kind, key, this.#seen)) tint(row);
    this.#seen = lastChange();
  }

  override render(): null {
    return null;
  }

  #rows(): [key: string, row: HTMLElement][] {
    const found = this.props.region.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [];
    return [...found].flatMap((element) => {
      const row = element.closest<HTMLElement>("li, [role=listitem]");
      return row === null ? [] : [[element.dataset["row"] ?? "", row] as const];
    }) as [string, HTMLElement][];
  }
}

const prefersNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Without the row that is dragged: it appears where it was dropped. */
function placesOf(rows: [string, HTMLElement][]): Map<string, Place> {
  const places = new Map<string, Place>();
  // Looked for once: looking in each row took longer than measuring the rows.
  const dragged = document.querySelector("[data-dragging]");
  for (const [key, row] of rows) {
    if (dragged !== null && row.contains(dragged)) continue;
    const { left, top } = row.getBoundingClientRect();
    places.set(key, { left, top, list: row.parentElement });
  }
  return places;
}

function slide(row: HTMLElement, from: Place | undefined, to: Place | undefined): void {
  if (from === undefined || to === undefined) return;
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const isSameList = from.list === to.list;
  const limit = (by: number) => (isSameList ? by : Math.max(-FROM_OTHER_LIST, Math.min(FROM_OTHER_LIST, by)));
  const start = {
    translate: `${limit(x)}px ${limit(y)}px`,
    ...(isSameList ? {} : { opacity: 0 }),
    offset: 0,
  };
  row.animate([start], MOVE);
}

function tint(row: HTMLElement): void {
  const surface = row.querySelector<HTMLElement>("[data-tinted]") ?? row;
  surface.animate([{ backgroundColor: "var(--accent-tint)", offset: 0 }], TINT);
}
