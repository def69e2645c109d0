import { Link } from "@tanstack/react-router";
import { CircleSlash2, EllipsisVertical } from "lucide-react";
import { type KeyboardEvent, memo, type MouseEvent } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Label } from "../../shared/labels.ts";
import type { Person } from "../../shared/answers.ts";
import { Breakable } from "../kit/breakable.tsx";
import { cx } from "../kit/cx.ts";
import { CardMeta, CardNumbers } from "./card-meta.tsx";
import { DropLine } from "../lists/drop-line.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { useDraggableItem } from "../lists/use-draggable-item.ts";
import { type DropEdge, useDropTarget } from "../lists/use-drop-target.ts";
import { WaitingMark } from "../lists/waiting-mark.tsx";

export const CARD = "card";

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
  const { issue, labels, assignee, epic, lifted, movable, actions } = props;
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
        "relative pb-(--card-gap) [contain-intrinsic-size:auto_126px] [content-visibility:auto] in-data-[density=dense]:[contain-intrinsic-size:auto_106px]",
        dragging && "opacity-50",
      )}
    >
      <DropLine edge={edge} />
      <div
        data-tinted
        className={cx(
          "group relative flex flex-col gap-1.5 rounded-md border bg-surface p-(--card-padding) in-data-[density=dense]:gap-0.5",
          lifted
            ? "border-accent bg-selected outline-2 outline-accent"
            : "border-line hover:border-line-strong",
          movable && "cursor-grab [-webkit-touch-callout:none]",
        )}
        onContextMenu={menu}
      >
        <CardHeader {...props} />
        <CardLink {...props} />
        <CardMeta issue={issue} labels={labels} assignee={assignee} epic={epic} />
      </div>
    </li>
  );
});

function CardHeader({ issue, blocked, tabbable, movable, actions }: Props) {
  return (
    <div className="flex h-6 items-center gap-1.5 text-sm text-text-3">
      <TypeMark type={issue.type} compact />
      <span className="shrink-0">{issue.key}</span>
      {blocked && (
        <span className="shrink-0 text-warn" title="Blocked">
          <CircleSlash2 aria-hidden size={12} />
          <span className="sr-only">Blocked</span>
        </span>
      )}
      <WaitingMark kind="issue" id={issue.id} />
      <CardNumbers issue={issue} />
      {movable && (
        <button
          type="button"
          aria-label={`Actions for ${issue.key}`}
          aria-haspopup="menu"
          tabIndex={tabbable ? 0 : -1}
          className="relative z-1 -me-1 flex size-6 shrink-0 items-center justify-center rounded-sm hover:bg-hover hover:text-text pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
          onClick={(event) => actions.onMenu(issue.id, event.currentTarget)}
        >
          <EllipsisVertical aria-hidden size={14} />
        </button>
      )}
    </div>
  );
}

function CardLink({ issue, projectKey, lifted, tabbable, movable, actions }: Props) {
  return (
    <Link
      to="/projects/$projectKey/issues/$issueKey"
      params={{ projectKey, issueKey: issue.key }}
      draggable={false}
      tabIndex={tabbable ? 0 : -1}
      data-lift-id={String(issue.id)}
      data-row={issue.id}
      aria-description={movable ? (lifted ? "Lifted" : "Press Space to lift") : undefined}
      dir="auto"
      className="line-clamp-3 font-medium text-text after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
      title={issue.title}
      onFocus={() => actions.onFocus(issue.id)}
      onBlur={() => actions.onBlur(issue.id)}
      onKeyDown={(event) => actions.onKeyDown(issue.id, event)}
    >
      <Breakable text={issue.title} />
    </Link>
  );
}
