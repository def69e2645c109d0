import { Outlet } from "@tanstack/react-router";
import { useProject } from "../data/projects.ts";

/** Within this layout, `useProject()` returns the project named in the URL, which exists and is accessible. */
export function ProjectLayout() {
  const { id } = useProject();
  // Remount for another project, so that no filter, draft or selection is carried over.
  return <Outlet key={id} />;
}
