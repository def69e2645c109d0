import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { CircleCheck, RotateCcw } from "lucide-react";
import { type ReactNode, Suspense, use, useMemo } from "react";
import type { Epic } from "../../shared/epics.ts";
import type { Issue } from "../../shared/issues.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { Comments } from "../comments/comments.tsx";
import { issuesQuery } from "../data/issues/issues.ts";
import { usePaletteCommand } from "../keys/commands.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { showFailure } from "../forms/show-failure.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Button } from "../kit/button.tsx";
import { deferredPart, lazyPart } from "../kit/lazy-part.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Day, Time, TimeZoneContext, useNow } from "../kit/dates/time.tsx";
import { isPast, todayIn } from "../kit/dates/days.ts";
import { StarButton } from "../views/star-button.tsx";
import { EditableTitle } from "../issues/issue-text/editable-title.tsx";
import { EpicMenu } from "./epic-menu.tsx";
import { EpicState } from "./epic-row.tsx";
import { AttachedFallback } from "./attached-skeleton.tsx";
import { countKinds, type LaneCounts, percentDone, totalOf } from "./lane-counts.ts";
import { LaneLegend, LaneProgress } from "./lane-progress.tsx";
import { epicQuery, useSaveEpic } from "../data/projects/epics.ts";
import { Description } from "../issues/issue-text/description.tsx";
import { OwnerPicker } from "./owner-picker.tsx";
import { useSetDone } from "./use-set-done.tsx";

/** The issue table is large, so it loads after the page. */
const AttachedIssues = lazyPart(async () => (await import("./attached-issues.tsx")).AttachedIssues);

const FilesSection = deferredPart(
  async () => (await import("../attachments/files-section.tsx")).FilesSection,
);

export function EpicPage() {
  const project = useProject();
  const { epicId } = useParams({ from: "/app/projects/$projectKey/epics/$epicId" });
  const query = useQuery(epicQuery(project.id, epicId));
  const { data: epic } = query;
  if (epic) return <Shown key={epic.id} epic={epic} />;
  if (query.isError) return <QueryError error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader title="Epic" />
      <Skeleton label="Loading the epic" />
    </>
  );
}

function Shown({ epic }: { epic: Epic }) {
  const project = useProject();
  const lanes = useLanes(project.id);
  const mayUpdate = can(project, "epics:update");
  const readsIssues = can(project, "issues:read");
  const listed = useQuery({
    ...issuesQuery(project.id, { epic_id: String(epic.id) }),
    enabled: readsIssues,
  });
  // Hide issues that were just moved to another epic.
  const issues = useMemo(
    () => listed.data?.filter(({ epic_id }) => epic_id === epic.id),
    [listed.data, epic.id],
  );
  const counts = issues && lanes.length > 0 ? countKinds(issues, lanes) : epic.issue_counts;
  const today = todayIn(use(TimeZoneContext), useNow());
  return (
    <>
      <Head epic={{ ...epic, issue_counts: counts }} />
      <div className="grid flex-1 grid-rows-[auto_auto_1fr] md:grid-cols-[minmax(0,1fr)_280px] md:grid-rows-[auto_1fr]">
        <div className="min-w-0 p-4">
          <EditableTitle
            of={epic}
            name={epic.title}
            editable={mayUpdate}
            aside={<EpicState epic={epic} today={today} />}
          />
        </div>
        <aside
          aria-label="Properties"
          className="border-line bg-surface p-4 max-md:border-y md:col-start-2 md:row-span-2 md:row-start-1 md:border-s"
        >
          <Rail epic={epic} counts={counts} today={today} />
        </aside>
        <div className="flex min-w-0 flex-col gap-5 p-4 md:col-start-1 md:pt-0">
          <div className="max-w-read">
            <Description of={epic} editable={mayUpdate} />
          </div>
          <div className="max-w-read">
            <EpicFiles epic={epic} />
          </div>
          {readsIssues && <EpicIssues epic={epic} listed={listed} issues={issues} counts={counts} />}
          <div className="max-w-read">
            <Comments project={project} on={{ type: "epics", id: epic.id }} />
          </div>
        </div>
      </div>
    </>
  );
}

function Head({ epic }: { epic: Epic }) {
  const project = useProject();
  const params = { projectKey: project.key };
  const navigate = useNavigate();
  const toList = () => void navigate({ to: "/projects/$projectKey/epics", params });
  return (
    <PageHeader
      title={epic.title}
      titled="long"
      sticky
      crumbs={[
        <ProjectCrumb key="project" project={project} />,
        <Link key="epics" to="/projects/$projectKey/epics" params={params}>
          Epics
        </Link>,
      ]}
      actions={
        <>
          <StarButton page="epic" projectId={epic.project_id} id={epic.id} title={epic.title} />
          <StateButton epic={epic} />
          <EpicMenu epic={epic} onDeleted={toList} />
        </>
      }
    />
  );
}

function EpicFiles({ epic }: { epic: Epic }) {
  const project = useProject();
  return (
    <Suspense fallback={<div className="h-8" />}>
      <FilesSection
        project={project}
        attachments={epic.attachments}
        of={{
          kind: "epic",
          project_id: project.id,
          id: epic.id,
          path: `/api/projects/${project.id}/epics/${epic.id}`,
        }}
      />
    </Suspense>
  );
}

type IssuesProps = {
  epic: Epic;
  listed: UseQueryResult<Issue[]>;
  issues: Issue[] | undefined;
  counts: LaneCounts;
};

function EpicIssues({ epic, listed, issues, counts }: IssuesProps) {
  if (listed.isError && !listed.data)
    return <QueryError error={listed.error} retry={() => void listed.refetch()} />;
  return (
    <Suspense fallback={<AttachedFallback counts={counts} />}>
      <AttachedIssues
        issues={issues}
        counts={counts}
        to={{ epic_id: epic.id }}
        open={epic.state === "open"}
      />
    </Suspense>
  );
}

function StateButton({ epic }: { epic: Epic }) {
  const project = useProject();
  const done = useSetDone(project.id, epic);
  const isOpen = epic.state === "open";
  const mayUpdate = can(project, "epics:update");
  const label = isOpen ? "Mark as done" : "Reopen";
  usePaletteCommand("epic-state", `${label}: ${epic.title}`, done.toggle, mayUpdate);
  if (!mayUpdate) return null;
  return (
    <>
      <Button icon={isOpen ? CircleCheck : RotateCcw} onClick={done.toggle}>
        {label}
      </Button>
      {done.question}
    </>
  );
}

function Rail({ epic, counts, today }: { epic: Epic; counts: LaneCounts; today: string }) {
  const { id } = useProject();
  const people = usePeople(id);
  const total = totalOf(counts);
  const late = epic.state === "open" && isPast(epic.ends_on, today);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <h2 className="flex items-baseline justify-between gap-2 font-semibold">
          Progress
          <span className="font-normal text-text-2">
            {total === 0 ? "No issues" : `${counts.done} of ${total} · ${percentDone(counts)}%`}
          </span>
        </h2>
        <LaneProgress counts={counts} className="h-2" />
        <LaneLegend counts={counts} className="md:grid md:grid-cols-[auto_1fr]" />
      </div>
      <dl className="grid grid-cols-[72px_1fr] gap-x-3 gap-y-2 border-t border-line pt-4">
        <Fact name="Owner">
          <Owner epic={epic} />
        </Fact>
        <Fact name="Starts">
          <Day day={epic.starts_on} />
        </Fact>
        <Fact name="Ends">
          <Day day={epic.ends_on} className={late ? "font-medium text-warn" : ""} />
        </Fact>
        <Fact name="Created">
          <Time at={epic.created_at} />
          {epic.created_by !== null && ` by ${nameOf(people.of(epic.created_by))}`}
        </Fact>
        <Fact name="Updated">
          <Time at={epic.updated_at} />
        </Fact>
      </dl>
    </div>
  );
}

function Owner({ epic }: { epic: Epic }) {
  const project = useProject();
  const people = usePeople(project.id);
  const save = useSaveEpic(project.id);
  const owner = people.of(epic.owner_id);
  const shown =
    epic.owner_id === null ? (
      <span className="text-text-3">Nobody</span>
    ) : (
      <span className="flex min-w-0 items-center gap-2">
        <Avatar person={owner ?? null} />
        <span dir="auto" className="truncate">
          {nameOf(owner)}
        </span>
      </span>
    );
  if (!can(project, "epics:update")) return shown;
  return (
    <OwnerPicker
      projectId={project.id}
      value={epic.owner_id}
      onChange={(owner_id) =>
        save.mutate(
          { id: epic.id, changes: { owner_id } },
          { onError: (error) => showFailure("The owner could not be changed", error) },
        )
      }
      trigger={
        <button
          type="button"
          className="-mx-2 -my-1 flex min-h-7 max-w-full min-w-0 items-center rounded-md px-2 text-start hover:bg-hover aria-expanded:bg-hover"
        >
          <span className="sr-only">Owner: </span>
          {shown}
        </button>
      }
    />
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
