import { useNavigate } from "@tanstack/react-router";
import { Dialog } from "../ui/dialog.tsx";
import { ProjectForm } from "./project-form.tsx";

/** Makes a project and goes there. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog open title="New project" description="You will be its owner." onClose={onClose}>
      <ProjectForm
        onDone={({ key }) => {
          onClose();
          void navigate({ to: "/projects/$projectKey", params: { projectKey: key } });
        }}
      />
    </Dialog>
  );
}
