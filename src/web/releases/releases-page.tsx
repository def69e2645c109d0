import { useSearch } from "@tanstack/react-router";
import { Rocket } from "lucide-react";
import { Suspense, useState } from "react";
import { csvOf } from "../data/csv.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { NothingHere } from "../page/not-found.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { CsvLink } from "../views/csv-link.tsx";

// The page itself would divide the code that other pages share into larger files.
const ReleaseList = deferredPart(async () => (await import("./release-list.tsx")).ReleaseList);
const DeployHook = deferredPart(async () => (await import("./deploy-hook.tsx")).DeployHook);

/** The releases of a project, newest first, with their deploys and what they did to its errors. */
export function ReleasesPage() {
  const project = useProject();
  const [explaining, setExplaining] = useState(false);
  const mayRead = can(project, "error-groups:read");
  const isOn = project.features.error_tracking;
  const { environment } = useSearch({ from: "/app/projects/$projectKey/releases" });
  const actions = (
    <>
      <CsvLink href={csvOf(project.id, "releases", { environment })} />
      <Button icon={Rocket} onClick={() => setExplaining(true)}>
        <span className="max-sm:sr-only">Record deploys</span>
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title="Releases"
        crumbs={[<ProjectCrumb key="project" project={project} />]}
        actions={isOn && mayRead && actions}
      />
      <div className="flex flex-1 flex-col bg-surface">
        {!isOn ? (
          <FeatureOff message="Error tracking is turned off in this workspace. An administrator can turn it on. Existing data is kept." />
        ) : !mayRead ? (
          <NothingHere message="You need permission to read errors in this project." />
        ) : (
          <Suspense fallback={<Skeleton rows={6} lines={2} label="Loading releases" />}>
            <ReleaseList project={project} />
          </Suspense>
        )}
      </div>
      {explaining && (
        <Suspense fallback={null}>
          <DeployHook project={project} onClose={() => setExplaining(false)} />
        </Suspense>
      )}
    </>
  );
}
