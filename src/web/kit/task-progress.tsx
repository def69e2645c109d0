import { ListChecks } from "lucide-react";
import type { TaskCount } from "../../shared/markdown/tasks.ts";
import { cx } from "./cx.ts";

/** How many tasks of a description are done: "2/5". Nothing if it has no tasks. */
export function TaskProgress({ tasks, className }: { tasks: TaskCount | null; className?: string }) {
  // A server of the previous version does not count tasks.
  if (!tasks) return null;
  const { done, total } = tasks;
  return (
    <span
      className={cx("flex items-center gap-1", className)}
      title={`${done} of ${total} ${total === 1 ? "task" : "tasks"} done`}
    >
      <ListChecks aria-hidden size={14} />
      {done}/{total}
      <span className="sr-only">tasks done</span>
    </span>
  );
}
