import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { ApiError } from "../api/client.ts";
import { errorGroupQuery } from "../data/errors/error-groups.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { buttonClass } from "../kit/button.tsx";
import { countOf } from "../kit/count-text.ts";
import { Skeleton } from "../kit/skeleton.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { Time } from "../kit/dates/time.tsx";
import { QueryError } from "../page/query-error.tsx";
import { LatestComments } from "./latest-comments.tsx";

type Props = {
  project: Project;
  error: { id: number; exception_class: string; message: string };
  /** The comment that the notification is about. */
  commentId: number | null;
  onFollow: () => void;
};

/** A summary of the error group, and its latest comments. */
export function ErrorTarget({
  project,
  error: { id, exception_class, message },
  commentId,
  onFollow,
}: Props) {
  const { data: group, error, isError, refetch } = useQuery(errorGroupQuery(project.id, id));
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <article className="flex flex-col gap-4 p-4">
      <div className="min-w-0">
        <p className="text-sm [overflow-wrap:anywhere] text-text-3">
          {exception_class} · {project.name}
        </p>
        <h3 dir="auto" className="line-clamp-3 text-read font-semibold [overflow-wrap:anywhere]">
          {(group?.latest_message ?? message) || exception_class}
        </h3>
      </div>
      {isGone ? (
        <p className="text-text-2">
          This error was deleted, or you no longer have access to it. The notification stays until you delete
          it.
        </p>
      ) : group === undefined ? (
        isError ? (
          <QueryError error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton rows={3} label="Loading the error" />
        )
      ) : (
        <>
          <Facts project={project} group={group} onFollow={onFollow} />
          <LatestComments project={project} on={{ type: "error_groups", id }} commentId={commentId} />
        </>
      )}
    </article>
  );
}

type FactsProps = { project: Project; group: ErrorGroup; onFollow: () => void };

function Facts({ project, group, onFollow }: FactsProps) {
  const assignee = usePeople(project.id).of(group.assignee_id);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <StateMark status={group.status} regressedAt={group.regressed_at} reopenCount={group.reopen_count} />
      <span className="text-text-2">{countOf(group.occurrence_count, "event")}</span>
      <span className="text-text-2">
        last seen <Time at={group.last_seen_at} />
      </span>
      <span className="text-text-2">{group.assignee_id === null ? "Unassigned" : nameOf(assignee)}</span>
      <Link
        to="/projects/$projectKey/errors/$errorGroupId"
        params={{ projectKey: project.key, errorGroupId: String(group.id) }}
        className={buttonClass({ className: "ms-auto" })}
        onClick={onFollow}
      >
        Open error
        <ArrowRight aria-hidden size={16} />
      </Link>
    </div>
  );
}
