import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { QueryError } from "../../page/query-error.tsx";
import { buttonClass } from "../../kit/button.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { StateMark } from "../../marks/state-mark.tsx";
import { GroupChart } from "../group/group-chart.tsx";
import { GroupFacts } from "../group/group-facts.tsx";
import { GroupState } from "../group/group-state.tsx";
import { LongText } from "../event/long-text.tsx";
import { messageTitle } from "../group/message-title.ts";
import { errorGroupQuery } from "../../data/errors/error-groups.ts";
import { TraceView } from "../event/trace-view.tsx";
import { useFreshDay } from "../group/use-fresh-day.ts";
import { listSearch, type View } from "../view.ts";

type Props = {
  group: ErrorGroupListItem;
  project: Project;
  view: View;
  isAll: boolean;
  onClose: () => void;
};

/** An error group beside the list. */
export function ErrorPeek({ group, project, view, isAll, onClose }: Props) {
  const query = useQuery(errorGroupQuery(project.id, group.id));
  const asOf = useFreshDay(query);
  return (
    <>
      <div className="sticky top-0 z-10 flex items-start gap-2 border-b border-line bg-surface px-4 py-2">
        <div className="min-w-0 flex-1 py-1">
          <h2 id="error-title" tabIndex={-1} className="wrap-anywhere">
            <span className="block text-text-2">{group.exception_class}</span>{" "}
            <span dir="auto" className="line-clamp-2 text-title font-semibold">
              {messageTitle(group.latest_message)}
            </span>
          </h2>
          <StateMark
            status={group.status}
            regressedAt={group.regressed_at}
            reopenCount={group.reopen_count}
          />
        </div>
        <Link
          to="/projects/$projectKey/errors/$errorGroupId"
          params={{ projectKey: project.key, errorGroupId: String(group.id) }}
          search={listSearch(view, isAll)}
          className={buttonClass({ size: "md" })}
        >
          Open
        </Link>
        <IconButton label="Close preview" shortcut="Escape" icon={X} onClick={onClose} />
      </div>
      {query.data ? (
        <>
          <div className="flex flex-col gap-4 border-b border-line px-4 py-4">
            <GroupState group={query.data} />
            {messageTitle(query.data.latest_message) !== query.data.latest_message.trim() && (
              <LongText text={query.data.latest_message} none="No message." />
            )}
            <GroupChart group={query.data} asOf={asOf} />
            <TraceView trace={query.data.latest_stack_trace} label="Stack trace" />
          </div>
          <GroupFacts group={query.data} project={project} />
        </>
      ) : query.isError ? (
        <QueryError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton rows={6} lines={2} label="Loading the error" />
      )}
    </>
  );
}
