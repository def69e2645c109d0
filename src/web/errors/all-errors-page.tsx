import { ErrorsScreen } from "./errors-screen.tsx";

/** The errors of every project the person may read them in. */
export function AllErrorsPage() {
  return <ErrorsScreen project={null} />;
}
