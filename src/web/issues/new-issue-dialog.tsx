import { useState } from "react";
import type { AppDialog } from "../page/open-dialog.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { NewIssueForm } from "./new-issue-form.tsx";

type Props = { start: Extract<AppDialog, { kind: "new-issue" }>; onClose: () => void };

/** Creates an issue, by default in the current project. */
export function NewIssueDialog({ start, onClose }: Props) {
  const current = useCurrentProject();
  const projects = useProjects().filter((project) => can(project, "issues:create"));
  const [chosen, setChosen] = useState<number>();
  const project =
    projects.find(({ id }) => id === chosen) ?? projects.find(({ id }) => id === current?.id) ?? projects[0];
  if (project === undefined)
    return (
      <Dialog
        open
        onClose={onClose}
        title="New issue"
        size="sm"
        footer={<Button onClick={onClose}>Close</Button>}
      >
        You don’t have permission to create issues in any project.
      </Dialog>
    );
  return (
    <NewIssueForm
      // Each project has its own draft.
      key={project.id}
      project={project}
      projects={projects}
      onProject={setChosen}
      start={project.id === current?.id ? start : { kind: "new-issue" }}
      onClose={onClose}
    />
  );
}
