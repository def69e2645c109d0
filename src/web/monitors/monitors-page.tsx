import { useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { monitorsQuery } from "../data/monitors/monitors.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { usePaletteCommand } from "../keys/commands.ts";
import { Button } from "../kit/button.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { NothingHere } from "../page/not-found.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { MonitorList } from "./monitor-list.tsx";
import { MonitorTabs } from "./monitor-tabs.tsx";

const MonitorDialog = lazyPart(async () => (await import("./monitor-dialog.tsx")).MonitorDialog);

/** The jobs and programs of a project that say when they run, by name. */
export function MonitorsPage() {
  const project = useProject();
  const navigate = useNavigate();
  const { tab } = useSearch({ from: "/app/projects/$projectKey/monitors" });
  const [creating, setCreating] = useState(false);
  const isOn = project.features.error_tracking;
  const mayRead = isOn && can(project, "error-groups:read");
  const mayCreate = mayRead && can(project, "error-groups:update");
  const query = useQuery({ ...monitorsQuery(project.id), enabled: mayRead });
  usePaletteCommand("new-monitor", "New monitor", () => setCreating(true), mayCreate);
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      New monitor
    </Button>
  );
  const hasMonitors = (query.data?.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Monitors"
        crumbs={[<ProjectCrumb key="project" project={project} />]}
        actions={hasMonitors && create}
        tabs={hasMonitors && <MonitorTabs monitors={query.data ?? []} tab={tab} />}
      />
      <div className="flex flex-1 flex-col bg-surface">
        {!isOn ? (
          <FeatureOff message="Error tracking is turned off in this workspace. An administrator can turn it on. Existing data is kept." />
        ) : !mayRead ? (
          <NothingHere message="You need permission to read errors in this project." />
        ) : (
          <MonitorList project={project} tab={tab} create={create} />
        )}
      </div>
      {creating && (
        <Suspense fallback={null}>
          <MonitorDialog
            project={project}
            onClose={() => setCreating(false)}
            onSaved={({ slug }) =>
              void navigate({
                to: "/projects/$projectKey/monitors/$slug",
                params: { projectKey: project.key, slug },
              })
            }
          />
        </Suspense>
      )}
    </>
  );
}
