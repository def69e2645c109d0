import { useState } from "react";
import type { GitConnection } from "../../../shared/git.ts";
import type { Project } from "../../../shared/projects.ts";
import { changeGitConnection } from "../../data/integrations/git.ts";
import { orNull } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";

type Props = { project: Project; connection: GitConnection; onClose: () => void };

/** Changes the name of a connection; a blank one removes it. */
export function RenameConnection({ project, connection, onClose }: Props) {
  const start = connection.name ?? "";
  const [name, setName] = useState(start);
  const save = useSend({
    send: () => changeGitConnection(project.id, connection.id, { name: orNull(name)?.trim() ?? null }),
    stale: [["git_connection", project.id]],
    onDone: onClose,
  });
  const isChanged = name.trim() !== start;
  return (
    <FormDialog
      title="Rename connection"
      submit="Save"
      size="sm"
      busy={save.isPending}
      dirty={isChanged}
      error={save.error}
      fields={["name"]}
      onSubmit={() => (isChanged ? save.mutate() : onClose())}
      onClose={onClose}
    >
      <Field label="Name" optional hint="For example the repository." error={errorOf(save.error, "name")}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="acme/shop"
          maxLength={100}
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}
