import { useProjects } from "../../data/projects/projects.ts";
import { PageHeader } from "../../kit/page-header.tsx";
import { NoProjects } from "../../workspaces/no-projects.tsx";
import { ErrorsScreen } from "./errors-screen.tsx";

/** The errors of all projects in which the user may read errors. */
export function AllErrorsPage() {
  const projects = useProjects();
  if (projects.length > 0) return <ErrorsScreen project={null} />;
  return (
    <>
      <PageHeader title="Errors" crumbs={["All projects"]} />
      <NoProjects />
    </>
  );
}
