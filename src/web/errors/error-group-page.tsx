import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect } from "react";
import type { Project } from "../../shared/projects.ts";
import { QueryError } from "../page/query-error.tsx";
import { useCommand } from "../keys/commands.ts";
import { useProject } from "../data/projects.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { StateMark } from "../kit/state-mark.tsx";
import { GroupBody } from "./group-body.tsx";
import { GroupVerbs } from "./group-verbs.tsx";
import { lastOpened } from "./last-opened.ts";
import { errorGroupQuery, useListedGroup } from "../data/error-groups.ts";
import { useFreshDay } from "./use-fresh-day.ts";
import { useNeighbours } from "./use-neighbours.ts";
import { listSearch } from "./use-view.ts";

/** An error group: its state, its course, its trace, and where it happened. */
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
    lastOpened.id = id;
  }, [id]);

  const isLost = query.isError && query.data === undefined;
  return (
    <>
      <PageHeader
        crumbs={[<Back key="back" project={project} view={view} />]}
        title={
          <span className="wrap-anywhere">{isLost ? "Error" : (group?.exception_class ?? "Error")}</span>
        }
        aside={
          group &&
          !isLost && (
            <StateMark
              status={group.status}
              regressedAt={group.regressed_at}
              reopenCount={group.reopen_count}
            />
          )
        }
        actions={
          <>
            {query.data && !isLost && <GroupVerbs group={query.data} project={project} />}
            <Walk project={project} id={id} view={view} />
          </>
        }
      />
      {isLost ? (
        <QueryError error={query.error} retry={() => void query.refetch()} />
      ) : query.data ? (
        <GroupBody key={id} group={query.data} project={project} asOf={asOf} />
      ) : (
        <Skeleton rows={8} height={64} label="Loading the error" />
      )}
    </>
  );
}

type ListView = ReturnType<typeof listSearch>;

/** The way back, to the list as it was. */
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

/** To the next and the previous of the list. */
function Walk({ project, id, view }: { project: Project; id: number; view: ListView }) {
  const { place, of, previous, next } = useNeighbours(project, id, view);
  useCommand("next", () => next?.(), { label: "Next error", enabled: next !== undefined });
  useCommand("previous", () => previous?.(), { label: "Previous error", enabled: previous !== undefined });
  return (
    <div className="flex items-center gap-1">
      {place > 0 && (
        <span className="text-sm text-text-3">
          {place} <span className="sr-only">of the list of </span>
          <span aria-hidden>/ </span>
          {of}
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
