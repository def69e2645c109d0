import { useProject } from "../../data/projects/projects.ts";
import { ErrorsScreen } from "./errors-screen.tsx";

export function ErrorsPage() {
  return <ErrorsScreen project={useProject()} />;
}
