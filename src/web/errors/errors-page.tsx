import { useProject } from "../data/projects.ts";
import { ErrorsScreen } from "./errors-screen.tsx";

/** The errors of a project. */
export function ErrorsPage() {
  return <ErrorsScreen project={useProject()} />;
}
