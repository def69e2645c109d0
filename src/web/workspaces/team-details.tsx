import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { TeamDetail } from "../../shared/teams.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { addToTeam, removeFromTeam } from "../data/projects/change-workspace.ts";
import { nameOf } from "../data/projects/people.ts";
import { Loaded } from "../forms/loaded.tsx";
import { useSend } from "../forms/use-send.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { announce } from "../kit/notices/live-region.ts";
import { teamQuery, workspaceMembersQuery } from "../data/projects/workspaces.ts";
import { TeamProjects } from "./team-projects.tsx";

type Props = { workspace: Workspace; teamId: number };

export function TeamDetails({ workspace, teamId }: Props) {
  const team = useQuery(teamQuery(workspace.id, teamId));
  return (
    <Loaded query={team} rows={2}>
      {(detail) => (
        <div className="grid gap-6 py-2 md:grid-cols-2">
          <Members workspace={workspace} team={detail} />
          <TeamProjects workspace={workspace} team={detail} />
        </div>
      )}
    </Loaded>
  );
}

function Members({ workspace, team }: { workspace: Workspace; team: TeamDetail }) {
  const stale = [["team"], ["people"], ["project"]];
  const add = useSend({
    send: (id: number) => addToTeam(workspace.id, team.id, id),
    stale,
    failed: "The member could not be added",
  });
  const remove = useSend({
    send: (id: number) => removeFromTeam(workspace.id, team.id, id),
    stale,
    onDone: () => announce(`Member removed from ${team.name}`),
    failed: "The member could not be removed",
  });
  const people = useQuery({ ...workspaceMembersQuery(workspace.id), enabled: workspace.is_admin }).data ?? [];
  const choices = people
    .filter(({ user_id, active }) => active && !team.members.some((member) => member.user_id === user_id))
    .map((person) => ({
      value: person.user_id,
      label: nameOf(person),
      hint: `@${person.username}`,
      icon: <Avatar person={person} />,
    }));
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-text-2 text-sm font-semibold">Members</h3>
      {team.members.length === 0 && <p className="text-text-3">Nobody yet.</p>}
      <ul aria-label={`Members of ${team.name}`}>
        {team.members.map((member) => (
          <li key={member.user_id} className="flex min-h-8 items-center gap-2">
            <Avatar person={member} />
            <span dir="auto" className="min-w-0 truncate" title={nameOf(member)}>
              {nameOf(member)}
            </span>
            {!member.active && <Badge tone="warn">Deactivated</Badge>}
            {workspace.is_admin && (
              <span className="ms-auto">
                <IconButton
                  size="sm"
                  icon={X}
                  label={`Remove ${nameOf(member)} from ${team.name}`}
                  onClick={() => remove.mutate(member.user_id)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {workspace.is_admin && choices.length > 0 && (
        <Combobox
          label={`Add someone to ${team.name}`}
          placeholder="Add a member"
          choices={choices}
          value={null}
          onChange={(id) => id !== null && add.mutate(id)}
        />
      )}
    </div>
  );
}
