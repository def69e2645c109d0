import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense } from "react";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { csvOf } from "../data/csv.ts";
import { can } from "../data/projects/projects.ts";
import { given } from "../page/search-params.ts";
import { Button } from "../kit/button.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { ToolSearch } from "../kit/tool-search.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { VIEW_LABELS, VIEWS } from "./report-views.ts";
import { TriageFilters } from "./triage-filters.tsx";
import type { Triage } from "./use-triage.ts";
import { ViewsMenu } from "../views/views-menu.tsx";

const WatchBell = deferredPart(async () => (await import("./watch-bell.tsx")).WatchBell);

/** The tabs with their counts, and the search. */
export function TriageHeader({ project, triage }: { project: Project; triage: Triage }) {
  const { view, query, counts, reports } = triage;
  const navigate = useNavigate();
  const params = { projectKey: project.key };
  const search = (text: string) =>
    void navigate({
      to: "/projects/$projectKey/triage",
      params,
      search: given({ ...triage.search, query: text }),
      replace: true,
    });
  return (
    <PageHeader
      title="Triage"
      crumbs={[<ProjectCrumb key="project" project={project} />]}
      actions={
        <>
          <ViewsMenu
            page="triage"
            project={project}
            search={triage.search}
            csv={{
              href: csvOf(project.id, "reports", {
                view,
                query: query || undefined,
                kind: triage.kind,
                sort: triage.hasVoicesOrder ? "voices" : undefined,
              }),
            }}
          />
          <Suspense fallback={<span className="size-8" />}>
            {/* After the reports: a page makes few requests before it shows its content. */}
            {reports.data === undefined ? <span className="size-8" /> : <WatchBell projectId={project.id} />}
          </Suspense>
          {can(project, "reports:create") && (
            <Button icon={Plus} onClick={() => openDialog({ kind: "new-report" })}>
              New report
            </Button>
          )}
        </>
      }
      tabs={
        <TabLinks
          label="Reports"
          tabs={VIEWS.map((one) => ({
            label: VIEW_LABELS[one],
            current: one === view,
            count: reports.data === undefined ? undefined : counts[one],
            link: (
              <Link
                to="/projects/$projectKey/triage"
                params={params}
                search={given({ ...triage.search, view: one === "active" ? "" : one })}
              />
            ),
          }))}
        />
      }
      tools={
        <>
          <TriageFilters project={project} triage={triage} />
          <ToolSearch>
            <SearchField
              label="Search reports"
              placeholder="Search reports"
              value={query}
              onChange={search}
            />
          </ToolSearch>
        </>
      }
    />
  );
}
