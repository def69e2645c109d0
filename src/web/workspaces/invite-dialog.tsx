import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { Workspace } from "../../shared/workspaces.ts";
import { invite, type NewInvitation } from "../data/projects/change-workspace.ts";
import { useProjects } from "../data/projects/projects.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Field } from "../kit/field.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Input } from "../kit/input.tsx";
import { Select } from "../kit/select.tsx";
import { rolesQuery } from "../data/projects/workspaces.ts";

type Place = { project_id: number; role_id: number };

type Props = {
  workspace: Workspace;
  onDone: (invitation: NewInvitation) => void;
  onClose: () => void;
};

export function InviteDialog({ workspace, onDone, onClose }: Props) {
  const [email, setEmail] = useState("");
  const [isAdmin, setAdmin] = useState(false);
  const [chosen, setChosen] = useState<Place[]>();
  const only = useOnlyPlace(workspace);
  const places = chosen ?? only;
  const sending = useSend({
    send: () => invite(workspace.id, { email, is_admin: isAdmin, projects: places }),
    stale: [["workspace_invitation"], ["mail"]],
    onDone,
  });
  return (
    <FormDialog
      title="Invite"
      submit="Invite"
      busy={sending.isPending}
      dirty={email !== "" || isAdmin || chosen !== undefined}
      error={sending.error}
      fields={["email"]}
      onSubmit={() => sending.mutate()}
      onClose={onClose}
    >
      <Field label="Email" error={errorOf(sending.error, "email")}>
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          required
          maxLength={254}
          autoComplete="off"
        />
      </Field>
      <Checkbox
        label="Administrator"
        hint="Can do everything in the workspace and all its projects."
        checked={isAdmin}
        onChange={(event) => setAdmin(event.target.checked)}
      />
      <Places workspace={workspace} places={places} onChange={setChosen} />
    </FormDialog>
  );
}

const NO_PLACES: Place[] = [];

/** Where there is only one project, people are invited to it, instead of to nothing. */
function useOnlyPlace(workspace: Workspace): Place[] {
  const [project, ...others] = useProjectsOf(workspace);
  const role = useFirstRole(workspace).role;
  return project && others.length === 0 && role ? [{ project_id: project.id, role_id: role.id }] : NO_PLACES;
}

const useProjectsOf = (workspace: Workspace) =>
  useProjects().filter(({ workspace_id }) => workspace_id === workspace.id);

function useFirstRole(workspace: Workspace) {
  const roles = useQuery(rolesQuery(workspace.id)).data ?? [];
  return { roles, role: roles.find(({ name }) => name === "Member") ?? roles[0] };
}

type PlacesProps = { workspace: Workspace; places: Place[]; onChange: (places: Place[]) => void };

function Places({ workspace, places, onChange }: PlacesProps) {
  const projects = useProjectsOf(workspace);
  const { roles, role } = useFirstRole(workspace);
  const free = projects.filter(({ id }) => !places.some(({ project_id }) => project_id === id));
  const change = (index: number, place: Partial<Place>) =>
    onChange(places.map((one, at) => (at === index ? { ...one, ...place } : one)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Projects</legend>
      {places.length === 0 && (
        <p className="text-text-3 text-sm">
          {projects.length === 0
            ? "The workspace has no projects yet."
            : "None yet. You can also add them to projects later."}
        </p>
      )}
      {places.map((place, index) => (
        <div key={place.project_id} className="flex items-center gap-2">
          <Select
            label={`Project ${index + 1}`}
            className="flex-[3]"
            value={String(place.project_id)}
            onChange={(next) => change(index, { project_id: Number(next) })}
            options={projects
              .filter(({ id }) => id === place.project_id || free.some((one) => one.id === id))
              .map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <Select
            label={`Role in project ${index + 1}`}
            className="flex-[2]"
            value={String(place.role_id)}
            onChange={(next) => change(index, { role_id: Number(next) })}
            options={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <IconButton
            size="sm"
            icon={X}
            label={`Remove project ${index + 1}`}
            onClick={() => onChange(places.filter((one) => one !== place))}
          />
        </div>
      ))}
      {free.length > 0 && role && (
        <div>
          <Combobox
            label="Add a project"
            choices={free.map(({ id, name, key }) => ({ value: id, label: name, hint: key }))}
            value={null}
            onChange={(id) => id !== null && onChange([...places, { project_id: id, role_id: role.id }])}
            trigger={
              <Button size="sm" icon={Plus}>
                Add a project
              </Button>
            }
          />
        </div>
      )}
    </fieldset>
  );
}
