import { useState } from "react";
import type { AppDialog } from "../page/open-dialog.ts";
import { useCurrentProject } from "../data/use-current-project.ts";
import { can, useProjects } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { NewIssueForm } from "./new-issue-form.tsx";

type Props = { start: Extract<AppDialog, { kind: "new-issue" }>; onClose: () => void };

/** A new issue, in the project of the address unless another is chosen. */
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
        There is no project in which you may create issues.
      </Dialog>
    );
  return (
    <NewIssueForm
      // What was entered for one project stays its draft.
      key={project.id}
      project={project}
      projects={projects}
      onProject={setChosen}
      start={project.id === current?.id ? start : { kind: "new-issue" }}
      onClose={onClose}
    />
  );
}
