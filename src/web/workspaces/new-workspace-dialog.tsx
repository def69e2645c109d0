import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createWorkspace } from "../data/projects/change-workspace.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { NameField } from "../forms/name-field.tsx";

/** Creates a workspace and opens its settings. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const make = useSend({
    send: () => createWorkspace(name),
    stale: [["workspace"]],
    onDone: ({ id }) => {
      onClose();
      void navigate({
        to: "/workspaces/$workspaceId/settings",
        params: { workspaceId: String(id) },
      });
    },
  });
  return (
    <FormDialog
      title="New workspace"
      description="You will be its administrator. It starts with four roles and no projects."
      submit="Create workspace"
      busy={make.isPending}
      dirty={name !== ""}
      error={make.error}
      fields={["name"]}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} error={errorOf(make.error, "name")} />
    </FormDialog>
  );
}
