import { Outlet } from "@tanstack/react-router";
import { useProject } from "../data/projects.ts";

/** Below here the project of the address exists and can be accessed: `useProject()`. */
export function ProjectLayout() {
  const { id } = useProject();
  // Another project is another page: no filter, draft or selection is carried over.
  return <Outlet key={id} />;
}
