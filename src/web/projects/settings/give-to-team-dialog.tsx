import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { Role } from "../../../shared/roles.ts";
import { giveToTeam } from "../../data/projects/project-parts.ts";
import { teamsQuery } from "../../data/projects/workspaces.ts";
import { Combobox } from "../../kit/combobox.tsx";
import { Field } from "../../kit/field.tsx";
import { Select } from "../../kit/select.tsx";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { firstRole, roleOptions } from "./settings-rights.ts";
import { useSend } from "../../forms/use-send.ts";

type Props = { project: Project; roles: readonly Role[]; given: readonly number[]; onClose: () => void };

export function GiveToTeamDialog({ project, roles, given, onClose }: Props) {
  const teams = useQuery(teamsQuery(project.workspace_id));
  const [teamId, setTeamId] = useState<number | null>(null);
  const [chosenRole, setRoleId] = useState<number>();
  // The roles may load after the dialog has opened.
  const roleId = chosenRole ?? firstRole(project, roles)?.id;
  const choices = (teams.data ?? [])
    .filter(({ id }) => !given.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }));
  const give = useSend({
    send: () => giveToTeam(project.id, teamId, roleId),
    stale: [["team"], ["people", project.id]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Add team"
      description="Its members are notified in their inbox."
      submit="Add team"
      disabled={teamId === null || roleId === undefined}
      busy={give.isPending}
      error={give.error}
      fields={["role_id"]}
      onSubmit={() => give.mutate()}
      onClose={onClose}
    >
      <Field
        label="Team"
        hint={teams.data && choices.length === 0 ? "Create teams in the workspace settings." : null}
      >
        <Combobox
          choices={choices}
          value={teamId}
          onChange={setTeamId}
          placeholder={teams.data && choices.length === 0 ? "No other teams" : "Choose a team"}
          disabled={choices.length === 0}
        />
      </Field>
      <Field label="Role" error={errorOf(give.error, "role_id")}>
        <Select
          value={String(roleId)}
          onChange={(next) => setRoleId(Number(next))}
          options={roleOptions(project, roles)}
        />
      </Field>
    </FormDialog>
  );
}
