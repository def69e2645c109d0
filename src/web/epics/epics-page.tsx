import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Milestone, Plus } from "lucide-react";
import { type ReactNode, Suspense, use, useMemo, useState } from "react";
import type { Epic } from "../../shared/epics.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { given } from "../page/search-params.ts";
import { QueryError } from "../page/query-error.tsx";
import { usePaletteCommand } from "../keys/commands.ts";
import { csvOf } from "../data/csv.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterRow } from "../kit/filter-row.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { TimeZoneContext, useNow } from "../kit/dates/time.tsx";
import { todayIn } from "../kit/dates/days.ts";
import { EpicDialog } from "./epic-dialog.tsx";
import { asShown, epicsIn, ownedBy, type Shown, STATES } from "./epic-order.ts";
import { EpicRow } from "./epic-row.tsx";
import { epicsQuery } from "../data/projects/epics.ts";
import { usePeople } from "../data/projects/people.ts";
import { useProfile } from "../data/account/session.ts";
import { pickFilter } from "../issues/filter-picker.tsx";
import { valuesOf } from "../issues/issue-filters.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import { useOwnerChoices } from "./owner-picker.tsx";

const EpicTimeline = deferredPart(async () => (await import("./epic-timeline.tsx")).EpicTimeline);

const VIEWS = [
  { view: undefined, label: "List" },
  { view: "timeline", label: "Timeline" },
] as const;

const LABELS: Record<Shown, string> = { open: "Open", done: "Done", all: "All" };

export function EpicsPage() {
  const project = useProject();
  const navigate = useNavigate();
  const search = useSearch({ from: "/app/projects/$projectKey/epics" });
  const { owner, ...unfiltered } = search;
  const shown = asShown(search.state);
  const query = useQuery(epicsQuery(project.id));
  const me = useProfile().id;
  const owned = useMemo(
    () => query.data && ownedBy(query.data, valuesOf(owner), me),
    [query.data, owner, me],
  );
  const [creating, setCreating] = useState(false);
  const mayCreate = can(project, "epics:create");
  usePaletteCommand("new-epic", "New epic", () => setCreating(true), mayCreate);
  if (query.isError && !query.data)
    return <QueryError error={query.error} retry={() => void query.refetch()} />;
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      New epic
    </Button>
  );
  const isBare = query.data?.length === 0;
  return (
    <>
      <Header search={search} owned={owned} isBare={isBare} create={create} />
      <div className="flex flex-1 flex-col bg-surface">
        {!query.data && <Skeleton lines={2} label="Loading epics" />}
        {isBare && (
          <EmptyState
            drawing="epics"
            title="No epics yet"
            text="An epic is a larger goal made up of several issues. It shows their progress."
            action={create}
          />
        )}
        {owned && !isBare && (
          <List
            epics={epicsIn(owned, shown)}
            shown={shown}
            unfiltered={owner === undefined ? undefined : unfiltered}
            asTimeline={search.view === "timeline"}
          />
        )}
      </div>
      {creating && (
        <EpicDialog
          projectId={project.id}
          onClose={() => setCreating(false)}
          onSaved={({ id }) =>
            void navigate({
              to: "/projects/$projectKey/epics/$epicId",
              params: { projectKey: project.key, epicId: String(id) },
            })
          }
        />
      )}
    </>
  );
}

type Search = { state?: string; view?: string; owner?: string };

type HeaderProps = {
  search: Search;
  /** The epics of the chosen owner; undefined while they load. */
  owned: readonly Epic[] | undefined;
  /** The project has no epics. */
  isBare: boolean;
  /** The button for a new epic. */
  create: ReactNode;
};

function Header({ search, owned, isBare, create }: HeaderProps) {
  const project = useProject();
  const shown = asShown(search.state);
  const state = shown === "all" ? undefined : shown;
  return (
    <PageHeader
      title="Epics"
      crumbs={[<ProjectCrumb key="project" project={project} />]}
      actions={
        !isBare && (
          <>
            <ViewsMenu
              page="epics"
              project={project}
              search={search}
              csv={{ href: csvOf(project.id, "epics", { owner_id: search.owner, state }) }}
            />
            {create}
          </>
        )
      }
      tabs={
        <TabLinks
          label="State"
          tabs={STATES.map((state) => ({
            label: LABELS[state],
            current: state === shown,
            count: owned && epicsIn(owned, state).length,
            link: (
              <Link
                to="."
                search={given({ ...search, state: state === "open" ? undefined : state })}
                replace
              />
            ),
          }))}
        />
      }
      tools={!isBare && <Tools search={search} />}
    />
  );
}

/** Filters by owner, and switches between list and timeline. */
function Tools({ search }: { search: Search }) {
  const navigate = useNavigate();
  const people = useOwnerChoices(useProject().id);
  return (
    <>
      <FilterRow
        filters={[
          pickFilter({
            name: "owner",
            label: "Owner",
            choices: [
              { value: "me", label: "Me" },
              ...people.map((person) => ({ ...person, value: String(person.value) })),
              { value: "none", label: "Nobody" },
            ],
            value: search.owner,
            onChange: (next) =>
              void navigate({ to: ".", search: given({ ...search, owner: next }), replace: true }),
          }),
        ]}
      />
      <div className="flex shrink-0">
        <TabLinks
          label="View"
          tabs={VIEWS.map(({ view, label }) => ({
            label,
            current: view === search.view,
            link: <Link to="." search={given({ ...search, view })} replace />,
          }))}
        />
      </div>
    </>
  );
}

type ListProps = {
  epics: Epic[];
  shown: Shown;
  /** The address without filters; undefined if there are none. */
  unfiltered: { state?: string; view?: string } | undefined;
  asTimeline: boolean;
};

function List({ epics, shown, unfiltered, asTimeline }: ListProps) {
  const { key: projectKey } = useProject();
  const today = todayIn(use(TimeZoneContext), useNow());
  if (epics.length === 0 && unfiltered)
    return (
      <EmptyState
        icon={Milestone}
        title="No matching epics"
        text="No epics match these filters."
        action={
          <Link to="." search={unfiltered} replace className={buttonClass()}>
            Clear filters
          </Link>
        }
      />
    );
  if (epics.length === 0)
    return (
      <EmptyState
        icon={Milestone}
        title={shown === "done" ? "No epics are done" : "No open epics"}
        text={shown === "done" ? "Epics that are marked as done appear here." : "All epics are done."}
        action={
          <Link to="." search={{ state: "all" }} replace className={buttonClass()}>
            Show all epics
          </Link>
        }
      />
    );
  const rows = { label: `${LABELS[shown]} epics`, epics, projectKey, today };
  if (!asTimeline) return <Rows {...rows} />;
  return (
    <Suspense fallback={<Skeleton label="Loading the timeline" />}>
      <EpicTimeline {...rows} />
    </Suspense>
  );
}

type RowsProps = { label: string; epics: readonly Epic[]; projectKey: string; today: string };

function Rows({ label, epics, projectKey, today }: RowsProps) {
  const people = usePeople(useProject().id);
  const keys = useRowKeys(epics.length);
  return (
    <div id={keys.boxId}>
      <ul aria-label={label}>
        {epics.map((epic, index) => (
          <li key={epic.id}>
            <EpicRow
              epic={epic}
              projectKey={projectKey}
              today={today}
              owner={epic.owner_id === null ? null : people.of(epic.owner_id)}
              current={keys.cursor === index}
              row={keys.row(index)}
              onDeleted={keys.refocus}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
