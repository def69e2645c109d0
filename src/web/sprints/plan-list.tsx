import { type ReactNode, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { useDropTarget } from "../lists/use-drop-target.ts";
import { PLANNED } from "./plan-row.tsx";

const PAGE = 200;

type Props = {
  name: string;
  /** Beside the name. */
  sums: ReactNode;
  issues: readonly Issue[];
  empty: string;
  onDrop: (issueId: number) => void;
  renderRow: (issue: Issue) => ReactNode;
};

/** One of the two lists: a drop target that scrolls by itself, or with the page where there is no room. */
export function PlanList({ name, sums, issues, empty, onDrop, renderRow }: Props) {
  const [shown, setShown] = useState(PAGE);
  const { ref, edge } = useDropTarget({
    kind: PLANNED,
    id: name,
    edges: "none",
    onDrop: ({ id }) => onDrop(Number(id)),
  });
  return (
    <section
      ref={ref}
      aria-label={name}
      className={cx(
        "flex min-h-40 min-w-0 flex-col rounded-md border bg-surface md:min-h-0 short:min-h-40",
        edge === null ? "border-line" : "border-accent bg-accent-tint",
      )}
    >
      <h2 className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-4 font-semibold">
        <span dir="auto" className="truncate">
          {name}
        </span>
        <span className="shrink-0 text-sm font-normal text-text-3">{sums}</span>
      </h2>
      <div className="min-h-0 flex-1 md:overflow-y-auto md:overscroll-contain short:overflow-y-visible">
        {issues.length === 0 && <p className="p-4 text-text-2">{empty}</p>}
        <ul aria-label={`Issues in ${name}`}>{issues.slice(0, shown).map(renderRow)}</ul>
        {issues.length > shown && (
          <Button size="sm" variant="quiet" className="m-2" onClick={() => setShown(shown + PAGE)}>
            {`Show ${Math.min(PAGE, issues.length - shown)} more`}
          </Button>
        )}
      </div>
    </section>
  );
}
