import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { deleteProject } from "../../data/projects/change-project.ts";
import { Button } from "../../kit/button.tsx";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { toast } from "../../kit/notices/toast.ts";
import { projectsQuery } from "../../data/projects/projects.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { Panel } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";

/** For owners and administrators. */
export function DangerSection({ project }: { project: Project }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Panel title="Danger zone" danger padded>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 flex-[1_1_16rem]">
          <p className="font-medium">Delete this project</p>
          <p className="text-text-2">
            This deletes its issues, reports, errors, comments, files and tokens, after 24 hours permanently.
          </p>
        </div>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete project
        </Button>
      </div>
      {isDeleting && <DeleteProjectDialog project={project} onClose={() => setDeleting(false)} />}
    </Panel>
  );
}

function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const remove = useSend({
    mutationKey: ["project"],
    send: () => deleteProject(project.id),
    stale: [],
    onDone: async () => {
      // Navigate first: the project's pages cannot render without it.
      await navigate({ to: "/" });
      client.setQueryData(projectsQuery.queryKey, (list) => list?.filter(({ id }) => id !== project.id));
      await client.invalidateQueries({ queryKey: ["project"] });
      toast({ title: `${project.name} deleted` });
    },
  });
  return (
    <FormDialog
      title={`Delete ${project.name}?`}
      description="The project disappears for everyone immediately. For 24 hours it can be restored in the workspace settings. Then its data is deleted permanently."
      submit="Delete project"
      danger
      size="sm"
      disabled={typed !== project.key}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Field label={`Type ${project.key} to confirm`}>
        <Input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
