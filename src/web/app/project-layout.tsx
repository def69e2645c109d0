import { Outlet } from "@tanstack/react-router";
import { useProjectIfAny } from "../data/projects/projects.ts";
import { NotFoundPage } from "../page/not-found.tsx";

/** Within this layout, `useProject()` returns the project named in the URL, which exists and is accessible. */
export function ProjectLayout() {
  const project = useProjectIfAny();
  // Access may be lost while the page is open.
  if (project === undefined) return <NotFoundPage />;
  // Remount for another project, so that no filter, draft or selection is carried over.
  return <Outlet key={project.id} />;
}
