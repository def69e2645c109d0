import { ErrorsScreen } from "./errors-screen.tsx";

/** The errors of all projects in which the user may read errors. */
export function AllErrorsPage() {
  return <ErrorsScreen project={null} />;
}
