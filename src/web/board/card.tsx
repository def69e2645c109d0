import { Link } from "@tanstack/react-router";
import { CircleSlash2, EllipsisVertical, MessageSquare } from "lucide-react";
import { type KeyboardEvent, memo, type MouseEvent } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Label } from "../../shared/labels.ts";
import { estimateText } from "../kit/estimate.ts";
import type { Person } from "../../shared/answers.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { cx } from "../kit/cx.ts";
import { PriorityMark } from "../kit/priority-mark.tsx";
import { DropLine } from "../lists/drop-line.tsx";
import { TypeMark } from "../kit/type-mark.tsx";
import { useDraggableItem } from "../lists/use-draggable-item.ts";
import { type DropEdge, useDropTarget } from "../lists/use-drop-target.ts";

export const CARD = "card";
const MAX_LABELS = 3;

/** Stable functions, so that a card renders again only when it changes. */
export type CardActions = {
  onFocus: (id: number) => void;
  onBlur: (id: number) => void;
  onKeyDown: (id: number, event: KeyboardEvent) => void;
  onMenu: (id: number, anchor: HTMLElement) => void;
  onDrop: (dragged: string, onto: number, edge: DropEdge) => void;
};

type Props = {
  issue: Issue;
  projectKey: string;
  labels: ReadonlyMap<number, Label>;
  assignee: Person | undefined;
  epic: string | undefined;
  blocked: boolean;
  lifted: boolean;
  /** The card that Tab reaches. */
  tabbable: boolean;
  movable: boolean;
  actions: CardActions;
};

/** A card: a link that covers it, which Space lifts, and its menu. */
export const Card = memo(function Card(props: Props) {
  const { issue, projectKey, labels, assignee, epic, blocked, lifted, tabbable, movable, actions } = props;
  const id = String(issue.id);
  const { ref: drag, dragging } = useDraggableItem({ kind: CARD, id, disabled: !movable });
  const { ref: drop, edge } = useDropTarget({
    kind: CARD,
    id,
    onDrop: (dragged, at) => actions.onDrop(dragged.id, issue.id, at),
  });
  const menu = (event: MouseEvent) => {
    if (!movable) return;
    event.preventDefault();
    actions.onMenu(issue.id, event.currentTarget as HTMLElement);
  };
  return (
    <li
      ref={(element) => {
        const ends = [drag(element), drop(element)];
        return () => {
          for (const end of ends) end?.();
        };
      }}
      data-dragging={dragging || lifted || undefined}
      className={cx(
        "relative pb-2 [contain-intrinsic-size:auto_96px] [content-visibility:auto]",
        dragging && "opacity-50",
      )}
    >
      <DropLine edge={edge} />
      <div
        className={cx(
          "group relative flex flex-col gap-1.5 rounded-md border bg-surface p-2.5",
          lifted
            ? "border-accent bg-selected outline-2 outline-accent"
            : "border-line hover:border-line-strong",
          movable && "cursor-grab",
        )}
        onContextMenu={menu}
      >
        <div className="flex h-6 items-center gap-1.5 text-sm text-text-3">
          <TypeMark type={issue.type} compact />
          <span>{issue.key}</span>
          {blocked && (
            <span className="flex items-center gap-1 font-medium text-warn">
              <CircleSlash2 aria-hidden size={12} />
              Blocked
            </span>
          )}
          {movable && (
            <button
              type="button"
              aria-label={`Actions for ${issue.key}`}
              aria-haspopup="menu"
              tabIndex={tabbable ? 0 : -1}
              className="relative z-1 ms-auto -me-1 flex size-6 items-center justify-center rounded-sm hover:bg-hover hover:text-text"
              onClick={(event) => actions.onMenu(issue.id, event.currentTarget)}
            >
              <EllipsisVertical aria-hidden size={14} />
            </button>
          )}
        </div>
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey, issueKey: issue.key }}
          draggable={false}
          tabIndex={tabbable ? 0 : -1}
          data-lift-id={id}
          data-row={issue.id}
          aria-description={movable ? (lifted ? "Lifted" : "Press Space to lift") : undefined}
          dir="auto"
          className="line-clamp-3 font-medium text-text after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
          title={issue.title}
          onFocus={() => actions.onFocus(issue.id)}
          onBlur={() => actions.onBlur(issue.id)}
          onKeyDown={(event) => actions.onKeyDown(issue.id, event)}
        >
          {issue.title}
        </Link>
        <Foot issue={issue} labels={labels} assignee={assignee} epic={epic} />
      </div>
    </li>
  );
});

function Foot({ issue, labels, assignee, epic }: Pick<Props, "issue" | "labels" | "assignee" | "epic">) {
  const named = issue.label_ids.map((id) => labels.get(id)).filter((label) => label !== undefined);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-text-3">
      <PriorityMark priority={issue.priority} compact />
      {named.slice(0, MAX_LABELS).map(({ id, name, color }) => (
        <span key={id} className="flex max-w-32 min-w-0">
          <Badge dot={color}>{name}</Badge>
        </span>
      ))}
      {named.length > MAX_LABELS && (
        <span title={named.map(({ name }) => name).join(", ")}>+{named.length - MAX_LABELS}</span>
      )}
      {epic !== undefined && (
        <span className="max-w-36 truncate" title={`Epic: ${epic}`}>
          {epic}
        </span>
      )}
      <span className="ms-auto flex items-center gap-2">
        {issue.estimated_minutes !== null && (
          <span title="Estimate">{estimateText(issue.estimated_minutes)}</span>
        )}
        {issue.comments_count > 0 && (
          <span className="flex items-center gap-1">
            <MessageSquare aria-hidden size={12} />
            {issue.comments_count}
            <span className="sr-only">{issue.comments_count === 1 ? "comment" : "comments"}</span>
          </span>
        )}
        {issue.assignee_id !== null && <Avatar person={assignee ?? null} named />}
      </span>
    </div>
  );
}
