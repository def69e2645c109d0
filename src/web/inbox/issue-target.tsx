import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { ApiError } from "../api/client.ts";
import { QueryError } from "../page/query-error.tsx";
import { commentsQuery } from "../data/comments.ts";
import { issueQuery } from "../data/issues/issues.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { buttonClass } from "../kit/button.tsx";
import { LaneMark } from "../marks/lane-mark.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { LatestComments } from "./latest-comments.tsx";

type Props = {
  project: Project;
  issue: { id: number; key: string; title: string };
  /** The comment that the notification is about. */
  commentId: number | null;
  onFollow: () => void;
};

/** Delay before the issue is loaded, so that stepping quickly through entries sends no requests. */
const LOAD_DELAY_MS = 250;

/** A summary of the issue, and its latest comments. */
export function IssueTarget({ project, issue: { id, key, title }, commentId, onFollow }: Props) {
  const isDelayPassed = useDelayPassed();
  const query = useQuery({ ...issueQuery(project.id, key), enabled: isDelayPassed });
  // Read together with the issue, although they are shown after it.
  useInfiniteQuery({ ...commentsQuery(project.id, { type: "issues", id }), enabled: isDelayPassed });
  const lane = useLanes(project.id).find((one) => one.id === query.data?.lane_id);
  const assignee = usePeople(project.id).of(query.data?.assignee_id);
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const issue = query.data;
  return (
    <article className="flex flex-col gap-4 p-4">
      <div>
        <p className="text-sm text-text-3">
          {key} · {project.name}
        </p>
        <h3 dir="auto" className="text-read font-semibold [overflow-wrap:anywhere]">
          {issue?.title ?? title}
        </h3>
      </div>
      {isGone ? (
        <p className="text-text-2">
          This issue was deleted, or you no longer have access to it. The notification stays until you delete
          it.
        </p>
      ) : query.isError ? (
        <QueryError error={query.error} retry={() => void query.refetch()} />
      ) : issue === undefined ? (
        <Skeleton rows={3} label="Loading the issue" />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {lane && <LaneMark kind={lane.kind} name={lane.name} />}
            <TypeMark type={issue.type} />
            <PriorityMark priority={issue.priority} />
            <span className="text-text-2">
              {issue.assignee_id === null ? "Unassigned" : nameOf(assignee)}
            </span>
            <Link
              to="/projects/$projectKey/issues/$issueKey"
              params={{ projectKey: project.key, issueKey: key }}
              className={buttonClass({ className: "ms-auto" })}
              onClick={onFollow}
            >
              Open {key}
              <ArrowRight aria-hidden size={16} />
            </Link>
          </div>
          {issue.description !== null && issue.description !== "" && (
            <div className="max-h-40 overflow-hidden border-s border-line ps-3 text-text-2 [mask-image:linear-gradient(#000_80%,transparent)]">
              <Markdown text={issue.description} projectKey={project.key} />
            </div>
          )}
          <LatestComments project={project} on={{ type: "issues", id }} commentId={commentId} />
        </>
      )}
    </article>
  );
}

function useDelayPassed(): boolean {
  const [isDelayPassed, setDelayPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDelayPassed(true), LOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDelayPassed;
}
