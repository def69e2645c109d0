import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../kit/dialog.tsx";
import { ProjectForm } from "./project-form.tsx";

/** Creates a project and opens it. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [dirty, setDirty] = useState(false);
  return (
    <Dialog open title="New project" description="You will be its owner." dirty={dirty} onClose={onClose}>
      <ProjectForm
        onDirty={setDirty}
        onDone={({ key }) => {
          onClose();
          void navigate({ to: "/projects/$projectKey", params: { projectKey: key } });
        }}
      />
    </Dialog>
  );
}
