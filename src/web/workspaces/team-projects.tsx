import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { TeamDetail } from "../../shared/teams.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { giveToTeam, takeFromTeam } from "../data/projects/project-parts.ts";
import { useProjects } from "../data/projects/projects.ts";
import { useSend } from "../forms/use-send.ts";
import { Combobox } from "../kit/combobox.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Select } from "../kit/select.tsx";
import { rolesQuery } from "../data/projects/workspaces.ts";

type Taken = { project_id: number; name: string } | undefined;

/** The projects that a team has access to, with its role in each. */
export function TeamProjects({ workspace, team }: { workspace: Workspace; team: TeamDetail }) {
  const [taken, setTaken] = useState<Taken>();
  const roles = useQuery(rolesQuery(workspace.id)).data ?? [];
  const { is_admin: mayManage } = workspace;
  const all = useProjects().filter(({ workspace_id }) => workspace_id === workspace.id);
  const free = all.filter(({ id }) => !team.projects.some(({ project_id }) => project_id === id));
  const member = roles.find(({ name }) => name === "Member") ?? roles[0];
  const stale = [["team"], ["people"], ["project"]];
  const put = useSend({
    send: ({ project_id, role_id }: { project_id: number; role_id: number }) =>
      giveToTeam(project_id, team.id, role_id),
    stale,
    failed: "The project could not be added",
  });
  const take = useSend({ send: (id: number) => takeFromTeam(id, team.id), stale });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-text-2 text-sm font-semibold">Projects</h3>
      {team.projects.length === 0 && <p className="text-text-3">None yet.</p>}
      <ul aria-label={`Projects of ${team.name}`} className="flex flex-col gap-1">
        {team.projects.map(({ project_id, key, name, role_id }) => (
          <li key={project_id} className="flex min-h-8 items-center gap-2">
            <span dir="auto" className="min-w-0 flex-1 truncate" title={name}>
              {name} <span className="text-text-3 text-sm">{key}</span>
            </span>
            {mayManage ? (
              <RoleAndRemove
                names={{ project: name, team: team.name }}
                roles={roles}
                roleId={role_id}
                onChange={(next) => put.mutate({ project_id, role_id: next })}
                onRemove={() => setTaken({ project_id, name })}
              />
            ) : (
              <span className="text-text-2">{roles.find(({ id }) => id === role_id)?.name}</span>
            )}
          </li>
        ))}
      </ul>
      {mayManage && free.length > 0 && member && (
        <AddProject
          team={team}
          projects={free}
          onAdd={(id) => put.mutate({ project_id: id, role_id: member.id })}
        />
      )}
      <ConfirmDialog
        open={taken !== undefined}
        onClose={() => setTaken(undefined)}
        title={`Remove ${taken?.name ?? ""} from ${team.name}?`}
        confirm="Remove"
        done={`${taken?.name} removed from ${team.name}`}
        onConfirm={async () => taken && take.mutateAsync(taken.project_id)}
      >
        Its members will lose access, unless they have it in another way.
      </ConfirmDialog>
    </div>
  );
}

type AddProps = { team: TeamDetail; projects: readonly Project[]; onAdd: (id: number) => void };

function AddProject({ team, projects, onAdd }: AddProps) {
  return (
    <Combobox
      label={`Add a project to ${team.name}`}
      placeholder="Add a project"
      choices={projects.map(({ id, name, key }) => ({ value: id, label: name, hint: key }))}
      value={null}
      onChange={(id) => id !== null && onAdd(id)}
    />
  );
}

type RoleProps = {
  names: { project: string; team: string };
  roles: readonly { id: number; name: string }[];
  roleId: number;
  onChange: (roleId: number) => void;
  onRemove: () => void;
};

function RoleAndRemove({ names, roles, roleId, onChange, onRemove }: RoleProps) {
  return (
    <>
      <Select
        label={`Role of ${names.team} in ${names.project}`}
        className="w-32"
        value={String(roleId)}
        onChange={(next) => onChange(Number(next))}
        options={roles.map((role) => ({ value: String(role.id), label: role.name }))}
      />
      <IconButton
        size="sm"
        icon={X}
        label={`Remove ${names.project} from ${names.team}`}
        onClick={onRemove}
      />
    </>
  );
}
