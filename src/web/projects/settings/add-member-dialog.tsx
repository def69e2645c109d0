import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Project, ProjectMember } from "../../../shared/projects.ts";
import type { Role } from "../../../shared/roles.ts";
import { projectMembers } from "../../data/projects/project-parts.ts";
import { nameOf } from "../../data/projects/people.ts";
import { useWorkspaces } from "../../data/projects/projects.ts";
import { workspaceMembersQuery } from "../../data/projects/workspaces.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { Field } from "../../kit/field.tsx";
import { Select } from "../../kit/select.tsx";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { firstRole, roleOptions } from "./settings-rights.ts";
import { useSend } from "../../forms/use-send.ts";

type Props = {
  project: Project;
  roles: readonly Role[];
  members: readonly ProjectMember[];
  mayOwn: boolean;
  onClose: () => void;
};

/** Adds a member of the workspace to the project. */
export function AddMemberDialog({ project, roles, members, mayOwn, onClose }: Props) {
  const people = useQuery(workspaceMembersQuery(project.workspace_id)).data;
  const [userId, setUserId] = useState<number | null>(null);
  const [chosenRole, setRoleId] = useState<number>();
  // The roles may load after the dialog has opened.
  const roleId = chosenRole ?? firstRole(project, roles)?.id;
  const [isOwner, setOwner] = useState(false);
  const inside = new Set(members.map(({ user_id }) => user_id));
  const choices = (people ?? [])
    .filter(({ active, user_id }) => active && !inside.has(user_id))
    .map((person) => ({
      value: person.user_id,
      label: nameOf(person),
      hint: `@${person.username}`,
      icon: <Avatar person={person} />,
    }));
  const add = useSend({
    send: (member: { user_id: number; role_id: number }) =>
      projectMembers.add(project.id, { ...member, is_owner: isOwner }),
    stale: [
      ["member", project.id],
      ["people", project.id],
    ],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Add member"
      description={<Description workspaceId={project.workspace_id} />}
      submit="Add member"
      disabled={userId === null || roleId === undefined}
      busy={add.isPending}
      error={add.error}
      fields={["user_id", "role_id"]}
      onSubmit={() => {
        if (userId !== null && roleId !== undefined) add.mutate({ user_id: userId, role_id: roleId });
      }}
      onClose={onClose}
    >
      <Field label="Person" error={errorOf(add.error, "user_id")}>
        <Combobox
          choices={choices}
          value={userId}
          onChange={setUserId}
          placeholder={
            people && choices.length === 0
              ? "Everyone in the workspace is already a member"
              : "Choose a person"
          }
          disabled={choices.length === 0}
        />
      </Field>
      <Field label="Role" error={errorOf(add.error, "role_id")}>
        <Select
          value={String(roleId)}
          onChange={(next) => setRoleId(Number(next))}
          options={roleOptions(project, roles)}
        />
      </Field>
      {mayOwn && (
        <Checkbox
          label="Owner"
          hint="Can do everything in the project, including deleting it."
          checked={isOwner}
          onChange={(event) => setOwner(event.target.checked)}
        />
      )}
    </FormDialog>
  );
}

function Description({ workspaceId }: { workspaceId: number }) {
  const isAdmin = useWorkspaces().some(({ id, is_admin }) => id === workspaceId && is_admin);
  return (
    <>
      They are notified in their inbox.{" "}
      {isAdmin ? (
        <>
          <Link
            to="/workspaces/$workspaceId/settings"
            params={{ workspaceId: String(workspaceId) }}
            search={{ section: "invitations" }}
            className="text-accent-text underline"
          >
            Invite people
          </Link>{" "}
          to add someone from outside the workspace.
        </>
      ) : (
        "Administrators of the workspace can invite others."
      )}
    </>
  );
}
