import { MessageSquare } from "lucide-react";
import type { Person } from "../../shared/answers.ts";
import type { Issue } from "../../shared/issues.ts";
import { DueMark } from "../issues/due-mark.tsx";
import type { Label } from "../../shared/labels.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { cx } from "../kit/cx.ts";
import { TaskProgress } from "../kit/task-progress.tsx";
import { estimateText } from "../marks/estimate.ts";
import { LABEL_COLORS } from "../marks/label-colors.ts";
import { PriorityMark } from "../marks/priority-mark.tsx";

const MAX_NAMED_LABELS = 2;

/**
 * On cards narrower than 262 px, one label has a name, and the epic only if there is no label. The container is the list of the lane,
 * which is as wide as its cards: one container for each card costs the board more layout.
 */
const ONLY_WIDE = "@max-[262px]:hidden";
const ONLY_NARROW = "@min-[262px]:hidden";

type Props = {
  issue: Issue;
  labels: ReadonlyMap<number, Label>;
  assignee: Person | undefined;
  epic: string | undefined;
};

/** The one line below a card's title. Long names shrink before anything wraps. */
export function CardMeta({ issue, labels, assignee, epic }: Props) {
  const of = issue.label_ids.map((id) => labels.get(id)).filter((label) => label !== undefined);
  return (
    <div className="flex h-5 min-w-0 items-center gap-2 text-sm text-text-3">
      <span className="flex shrink-0">
        <PriorityMark priority={issue.priority} compact />
      </span>
      <span className="flex min-w-0 flex-1 items-center gap-1.5 overflow-hidden">
        {epic !== undefined && <EpicName id={issue.epic_id ?? 0} title={epic} besideLabels={of.length > 0} />}
        {of.slice(0, MAX_NAMED_LABELS).map(({ id, name, color }, index) => (
          <span key={id} className={cx("flex max-w-28 min-w-9", index > 0 && ONLY_WIDE)} title={name}>
            <Badge dot={color}>{name}</Badge>
          </span>
        ))}
        {of.slice(1).map(({ id, name, color }, index) => (
          <span
            key={id}
            role="img"
            aria-label={`Label ${name}`}
            title={name}
            className={cx(DOT, index + 1 < MAX_NAMED_LABELS && ONLY_NARROW)}
            style={{ color }}
          />
        ))}
      </span>
      {issue.assignee_id !== null && <Avatar person={assignee ?? null} named />}
    </div>
  );
}

/** The due date, the number of comments, the tasks and the estimate, from the right. Those without room are hidden. */
export function CardNumbers({ issue }: { issue: Issue }) {
  return (
    <span
      data-card-numbers
      className="ms-auto flex h-5 min-w-0 flex-row-reverse flex-wrap gap-x-2 overflow-hidden leading-5"
    >
      <DueMark issue={issue} className="h-5" />
      {issue.comments_count > 0 && (
        <span className="flex h-5 items-center gap-1">
          <MessageSquare aria-hidden size={12} />
          {issue.comments_count}
          <span className="sr-only">{issue.comments_count === 1 ? "comment" : "comments"}</span>
        </span>
      )}
      <TaskProgress tasks={issue.tasks} className="h-5" />
      {issue.estimated_minutes !== null && (
        <span title="Estimate">{estimateText(issue.estimated_minutes)}</span>
      )}
    </span>
  );
}

/** Epics have no color of their own, so their order gives them one. */
function EpicName({ id, title, besideLabels }: { id: number; title: string; besideLabels: boolean }) {
  const color = LABEL_COLORS[id % LABEL_COLORS.length]?.value;
  return (
    <span
      className={cx(
        "flex max-w-36 min-w-9 items-center gap-1",
        besideLabels && "@max-[262px]:min-w-2 @max-[262px]:shrink-0",
      )}
      title={`Epic: ${title}`}
    >
      <span aria-hidden className={`${DOT} rounded-[2px]!`} style={{ color }} />
      <span className="sr-only">Epic: </span>
      <span dir="auto" className={cx("truncate", besideLabels && "@max-[262px]:sr-only")}>
        {title}
      </span>
    </span>
  );
}

/** Forced colors remove backgrounds but keep borders. */
const DOT = "size-2 shrink-0 rounded-full border-4 border-current";
