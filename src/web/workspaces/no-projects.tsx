import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { workspacesQuery } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { openDialog } from "../page/open-dialog.ts";

/** Every member of a workspace may create projects. */
export function useMayCreateProjects(): boolean {
  const workspaces = useQuery(workspacesQuery);
  return workspaces.data === undefined || workspaces.data.length > 0;
}

export function NewProjectButton() {
  return (
    <Button variant="primary" icon={Plus} onClick={() => openDialog({ kind: "new-project" })}>
      New project
    </Button>
  );
}

/** For people who cannot access any project yet. */
export function NoProjects() {
  const mayCreate = useMayCreateProjects();
  return (
    <EmptyState
      drawing="board"
      title="No projects yet"
      text={
        mayCreate
          ? "A project holds the reports, errors and issues of one product. Create one, or ask to be added to one."
          : "You aren’t a member of a workspace yet. Ask an administrator to add you to one."
      }
      action={mayCreate && <NewProjectButton />}
    />
  );
}
