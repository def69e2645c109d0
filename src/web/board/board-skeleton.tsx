import { COLUMN } from "./board-cell.tsx";

const CARDS = [4, 3, 2, 3];

/** Placeholder for the board while it loads. */
export function BoardSkeleton() {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden px-4 pb-3">
      <span className="sr-only">Loading the board</span>
      <div aria-hidden className="flex h-full gap-3 pt-9">
        {CARDS.map((cards, lane) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order never changes
          <div key={lane} className={`${COLUMN} flex flex-col gap-2 p-2`}>
            {Array.from({ length: cards }, (_, card) => (
              // oxlint-disable-next-line react/no-array-index-key -- the order never changes
              <div
                key={card}
                className="flex h-24 flex-col gap-3 rounded-md border border-line bg-surface p-3"
              >
                <span className="h-3 w-16 rounded-sm bg-line" />
                <span className="h-3 w-4/5 rounded-sm bg-line" />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
