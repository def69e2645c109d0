import { FoldHorizontal, UnfoldHorizontal } from "lucide-react";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import { cx } from "../kit/cx.ts";
import { LaneMark } from "../marks/lane-mark.tsx";
import { COLLAPSED, COLUMN } from "./board-cell.tsx";

type Props = {
  lane: Lane;
  /** All issues of the project, and those that match the filters. */
  issues: readonly Issue[];
  visible: readonly Issue[];
  collapsed: boolean;
  onToggle: () => void;
};

/** The name of a lane, the number of its issues, and the button that collapses it. */
export function LaneHead({ lane, issues, visible, collapsed, onToggle }: Props) {
  const count = (of: readonly Issue[]) => of.filter(({ lane_id }) => lane_id === lane.id).length;
  const [shown, all] = [count(visible), count(issues)];
  const limit = lane.wip_limit;
  const isOver = limit !== null && all > limit;
  const Fold = collapsed ? UnfoldHorizontal : FoldHorizontal;
  return (
    <div
      className={cx(collapsed ? COLLAPSED : COLUMN, "flex h-9 items-center bg-transparent!")}
      title={lane.name}
    >
      <h2 className={collapsed ? "sr-only" : "flex min-w-0 flex-1 items-center gap-2 px-2 font-semibold"}>
        <LaneMark kind={lane.kind} name={lane.name} />
        <span
          className={cx(
            "shrink-0 text-sm",
            isOver ? "rounded-sm bg-warn-tint px-1 font-medium text-warn" : "font-normal text-text-3",
          )}
        >
          {shown === all ? all : `${shown} of ${all}`}
          {limit !== null && <span aria-hidden>/{limit}</span>}
          <span className="sr-only">{` issues${limitWords(limit, isOver)}`}</span>
        </span>
      </h2>
      <button
        type="button"
        aria-label={`${collapsed ? "Expand" : "Collapse"} ${lane.name}`}
        aria-expanded={!collapsed}
        title={collapsed ? "Expand lane" : "Collapse lane"}
        className={cx(
          "relative flex size-6 shrink-0 items-center justify-center rounded-sm text-text-3 hover:bg-hover hover:text-text pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5",
          collapsed ? "mx-auto" : "me-1",
        )}
        onClick={onToggle}
      >
        <Fold aria-hidden size={14} />
      </button>
    </div>
  );
}

const limitWords = (limit: number | null, isOver: boolean) =>
  limit === null ? "" : isOver ? `, over the limit of ${limit}` : `, limit ${limit}`;
