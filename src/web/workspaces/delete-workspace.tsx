import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Workspace } from "../../shared/workspaces.ts";
import { deleteWorkspace } from "../data/projects/change-workspace.ts";
import { useWorkspaces, workspacesQuery } from "../data/projects/projects.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { Panel } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { toast } from "../kit/notices/toast.ts";

/** For administrators. */
export function DeleteWorkspace({ workspace }: { workspace: Workspace }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Panel title="Danger zone" danger padded>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 flex-[1_1_16rem]">
          <p className="font-medium">Delete this workspace</p>
          <p className="text-text-2">
            This deletes its projects with everything in them, its teams and its roles, after 24 hours
            permanently. People keep their accounts. The only workspace can’t be deleted.
          </p>
        </div>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete workspace
        </Button>
      </div>
      {isDeleting && <DeleteWorkspaceDialog workspace={workspace} onClose={() => setDeleting(false)} />}
    </Panel>
  );
}

function DeleteWorkspaceDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const workspaces = useWorkspaces();
  const [typed, setTyped] = useState("");
  const remove = useSend({
    mutationKey: ["workspace"],
    send: () => deleteWorkspace(workspace.id),
    stale: [["deletion"]],
    onDone: async () => {
      // Navigate first: the workspace's settings cannot render without it.
      const other = workspaces.find(({ id }) => id !== workspace.id);
      if (other)
        await navigate({
          to: "/workspaces/$workspaceId/settings",
          params: { workspaceId: String(other.id) },
        });
      else await navigate({ to: "/" });
      client.setQueryData(workspacesQuery.queryKey, (list) => list?.filter(({ id }) => id !== workspace.id));
      await client.invalidateQueries();
      toast({ title: `${workspace.name} deleted` });
    },
  });
  return (
    <FormDialog
      title={`Delete ${workspace.name}?`}
      description="Its projects disappear for everyone immediately. For 24 hours you can restore it in the settings of another workspace. Then its data is deleted permanently."
      submit="Delete workspace"
      danger
      size="sm"
      disabled={typed !== workspace.name}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Field label={`Type ${workspace.name} to confirm`}>
        <Input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
