import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { Role } from "../../../shared/roles.ts";
import type { ProjectTeam } from "../../../shared/teams.ts";
import { takeFromTeam } from "../../data/projects/project-parts.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Select } from "../../kit/select.tsx";
import { GiveToTeamDialog } from "./give-to-team-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../../forms/panel.tsx";
import { projectTeamsQuery } from "../../data/projects/project-settings.ts";
import { mayGive, roleOptions } from "./settings-rights.ts";
import { useSend } from "../../forms/use-send.ts";
import { useChangeTeamRole } from "../../data/projects/change-project-parts.ts";

type Props = { project: Project; roles: readonly Role[]; mayManage: boolean };

/** The teams with access to the project. A team's members all get the team’s role. */
export function ProjectTeams({ project, roles, mayManage }: Props) {
  const teams = useQuery(projectTeamsQuery(project.id));
  const [isGiving, setGiving] = useState(false);
  return (
    <Panel
      title="Teams"
      lead="All members of a team get the team’s role. People with several roles have the permissions of all of them."
      actions={mayManage && <Button onClick={() => setGiving(true)}>Add team</Button>}
    >
      <Loaded query={teams} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>No teams have access to this project.</PanelEmpty>
          ) : (
            <PanelList label="Teams">
              {list.map((team) => (
                <TeamRow
                  key={team.team_id}
                  project={project}
                  team={team}
                  roles={roles}
                  mayManage={mayManage}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {isGiving && (
        <GiveToTeamDialog
          project={project}
          roles={roles}
          given={(teams.data ?? []).map(({ team_id }) => team_id)}
          onClose={() => setGiving(false)}
        />
      )}
    </Panel>
  );
}

function TeamRow({ project, team, roles, mayManage }: Props & { team: ProjectTeam }) {
  const [isTaking, setTaking] = useState(false);
  const stale = [["team"], ["people", project.id], ["project"]];
  const change = useChangeTeamRole(project.id, team);
  const take = useSend({ send: () => takeFromTeam(project.id, team.team_id), stale });
  const role = roles.find(({ id }) => id === team.role_id);
  const mayChange = mayManage && (role === undefined || mayGive(project, role));
  return (
    <PanelRow
      end={
        <>
          {mayChange ? (
            <Select
              label={`Role of ${team.name}`}
              className="w-36"
              value={String(team.role_id)}
              onChange={(next) => change.mutate({ role_id: Number(next) })}
              options={roleOptions(project, roles)}
            />
          ) : (
            <span className="text-text-2">{role?.name}</span>
          )}
          {mayManage && (
            <Button size="sm" variant="quiet" onClick={() => setTaking(true)}>
              Remove<span className="sr-only"> {team.name}</span>
            </Button>
          )}
        </>
      }
    >
      <Users aria-hidden size={20} className="text-text-3 shrink-0" />
      <TwoLines
        title={team.name}
        text={team.members_count === 1 ? "1 member" : `${team.members_count} members`}
      />
      <ConfirmDialog
        open={isTaking}
        onClose={() => setTaking(false)}
        title={`Remove ${team.name} from ${project.name}?`}
        confirm="Remove"
        done={`${team.name} removed`}
        onConfirm={() => take.mutateAsync()}
      >
        Its members will lose access, unless they have it in another way.
      </ConfirmDialog>
    </PanelRow>
  );
}
