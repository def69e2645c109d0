import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect } from "react";
import type { Project } from "../../../shared/projects.ts";
import { ProjectCrumb } from "../../page/project-crumb.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { ApiError } from "../../api/client.ts";
import { useCommand } from "../../keys/commands.ts";
import { useProject } from "../../data/projects/projects.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { PageHeader } from "../../kit/page-header.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { GroupBody } from "./group-body.tsx";
import { GroupTitle } from "./group-title.tsx";
import { StatusActions } from "../status/status-actions.tsx";
import { messageTitle } from "./message-title.ts";
import { lastOpenedError } from "./last-opened-error.ts";
import { errorGroupQuery, useListedGroup } from "../../data/errors/error-groups.ts";
import { WaitingMark } from "../../lists/waiting-mark.tsx";
import { useFreshDay } from "./use-fresh-day.ts";
import { useAdjacentErrors } from "./use-adjacent-errors.ts";
import { listSearch } from "../view.ts";

/** An error group: its status, its counts over time, its stack trace, and where it occurred. */
export function ErrorGroupPage() {
  const project = useProject();
  const { errorGroupId = "" } = useParams({ strict: false });
  const id = Number(errorGroupId);
  const search: ListView = useSearch({ strict: false });
  const view = listSearch(search, search.from === "all");
  const query = useQuery(errorGroupQuery(project.id, id));
  const asOf = useFreshDay(query);
  const listed = useListedGroup(id);
  const group = query.data ?? listed;
  useEffect(() => {
    lastOpenedError.id = id;
  }, [id]);

  const mergedInto = query.error instanceof ApiError ? query.error.body["merged_into"] : undefined;
  const navigate = useNavigate();
  useEffect(() => {
    if (typeof mergedInto === "number")
      void navigate({
        to: "/projects/$projectKey/errors/$errorGroupId",
        params: { projectKey: project.key, errorGroupId: String(mergedInto) },
        search: (before) => before,
        replace: true,
      });
  }, [mergedInto, navigate, project.key]);

  const isMissing = query.isError && query.data === undefined && mergedInto === undefined;
  return (
    <>
      <PageHeader
        crumbs={[
          ...(view.from === "all" ? [] : [<ProjectCrumb key="project" project={project} />]),
          <Back key="back" project={project} view={view} />,
        ]}
        title={isMissing ? "Error" : `#${id}`}
        titled={group !== undefined && !isMissing}
        sticky
        {...(group && { scrolledTitle: messageTitle(group.latest_message) || group.exception_class })}
        aside={<WaitingMark kind="error_group" id={id} />}
        actions={
          <>
            {query.data && !isMissing && <StatusActions group={query.data} project={project} />}
            <PreviousNext project={project} id={id} view={view} />
          </>
        }
      />
      {isMissing ? (
        <QueryError error={query.error} retry={() => void query.refetch()} />
      ) : query.data ? (
        <GroupBody key={id} group={query.data} project={project} asOf={asOf} />
      ) : (
        <>
          {group && (
            <div className="px-4 pt-4">
              <GroupTitle group={group} />
            </div>
          )}
          <Skeleton rows={8} lines={2} label="Loading the error" />
        </>
      )}
    </>
  );
}

type ListView = ReturnType<typeof listSearch>;

/** Back to the list, with its tab, filters and order. */
function Back({ project, view: { from, ...view } }: { project: Project; view: ListView }) {
  const navigate = useNavigate();
  const isAll = from === "all";
  const { project: _, ...own } = view;
  useCommand(
    "close",
    () =>
      void (isAll
        ? navigate({ to: "/errors", search: view })
        : navigate({ to: "/projects/$projectKey/errors", params: { projectKey: project.key }, search: own })),
    { label: "Back to the list" },
  );
  return isAll ? (
    <Link to="/errors" search={view}>
      All errors
    </Link>
  ) : (
    <Link to="/projects/$projectKey/errors" params={{ projectKey: project.key }} search={own}>
      Errors
    </Link>
  );
}

/** Position in the list, and buttons for the previous and the next error. */
function PreviousNext({ project, id, view }: { project: Project; id: number; view: ListView }) {
  const { position, count, previous, next } = useAdjacentErrors(project, id, view);
  useCommand("next", () => next?.(), { label: "Next error", enabled: next !== undefined });
  useCommand("previous", () => previous?.(), { label: "Previous error", enabled: previous !== undefined });
  return (
    <div className="flex items-center gap-1">
      {position > 0 && (
        <span className="text-sm text-text-3 max-sm:hidden">
          {position} of {count}
        </span>
      )}
      <IconButton
        label="Previous error"
        shortcut="k"
        icon={ChevronUp}
        disabled={previous === undefined}
        onClick={() => previous?.()}
      />
      <IconButton
        label="Next error"
        shortcut="j"
        icon={ChevronDown}
        disabled={next === undefined}
        onClick={() => next?.()}
      />
    </div>
  );
}
