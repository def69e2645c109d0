import type { ReactNode, Ref } from "react";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { useDropTarget } from "../lists/use-drop-target.ts";
import type { Cell } from "./board-cells.ts";
import { CARD } from "./card.tsx";
import { CARD_HEIGHT } from "./use-cards-in-reach.ts";

type Props = {
  cell: Cell;
  /** With swim lanes, the whole board scrolls instead of each lane. */
  stacked: boolean;
  onDropAtEnd: (dragged: string, cell: Cell) => void;
  onShowAll: () => void;
  /** How many cards are not rendered yet, and the ref that learns when their room comes near. */
  rest: number;
  restRef: Ref<HTMLDivElement>;
  children: ReactNode;
  /** Shown below the cards, which are the children. */
  end: ReactNode;
};

/** The cards of a lane, and the area below them to drop a card at the end. */
export function BoardCell({ cell, stacked, onDropAtEnd, onShowAll, rest, restRef, children, end }: Props) {
  const { ref, edge } = useCellTarget(cell, onDropAtEnd);
  return (
    <section
      ref={ref}
      aria-label={cell.name}
      className={cx(
        COLUMN,
        "flex flex-col px-2 pt-2",
        !stacked && "min-h-0 overflow-x-hidden overflow-y-auto overscroll-y-contain short:overflow-y-visible",
        edge !== null && "bg-accent-tint",
      )}
    >
      <ul aria-label={`Issues in ${cell.name}`} className="@container flex flex-col">
        {children}
      </ul>
      {rest > 0 && (
        <div
          aria-hidden
          className="pointer-events-none relative shrink-0"
          style={{ height: rest * CARD_HEIGHT }}
        >
          <div ref={restRef} className="absolute inset-x-0 -top-200 bottom-0" />
        </div>
      )}
      {cell.hidden > 0 && (
        <Button size="sm" variant="quiet" className="mb-1 self-start" onClick={onShowAll}>
          {`Show ${cell.hidden} more`}
        </Button>
      )}
      {end}
      <div aria-hidden className={stacked ? "h-2" : "min-h-8 flex-1"} />
    </section>
  );
}

/** A collapsed lane. Cards can still be dropped on it. */
export function CollapsedCell({ cell, onDropAtEnd }: Pick<Props, "cell" | "onDropAtEnd">) {
  const { ref, edge } = useCellTarget(cell, onDropAtEnd);
  return (
    <div
      ref={ref}
      aria-hidden
      className={cx(
        COLLAPSED,
        "flex min-h-24 flex-col items-center gap-2 py-2",
        edge !== null && "bg-accent-tint",
      )}
    >
      <span dir="auto" className="max-h-60 truncate text-sm text-text-2 [writing-mode:vertical-lr]">
        {cell.lane.name}
      </span>
      <span className="text-sm text-text-3">{cell.items.length + cell.hidden}</span>
    </div>
  );
}

const useCellTarget = (cell: Cell, onDropAtEnd: Props["onDropAtEnd"]) =>
  useDropTarget({
    kind: CARD,
    id: cell.id,
    edges: "none",
    onDrop: (dragged) => onDropAtEnd(dragged.id, cell),
  });

/**
 * On a phone, a lane is nearly as wide as the screen, so that the next one is visible. Elsewhere lanes share the width,
 * from 220 to 320 px each.
 */
export const COLUMN = "w-[84vw] max-w-90 shrink-0 grow snap-start rounded-md bg-sunken sm:w-55 sm:max-w-80";

export const COLLAPSED = "w-10 shrink-0 snap-start rounded-md bg-sunken";
