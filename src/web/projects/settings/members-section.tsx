import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { Button } from "../../kit/button.tsx";
import { can, useWorkspaces } from "../../data/projects/projects.ts";
import { RolesView } from "../../workspaces/roles-view.tsx";
import { rolesQuery } from "../../data/projects/workspaces.ts";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { MemberRow } from "./member-row.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { ProjectTeams } from "./project-teams.tsx";
import { projectMembersQuery } from "../../data/projects/project-settings.ts";

/** The project's members, their roles, and each role's permissions. */
export function MembersSection({ project }: { project: Project }) {
  const members = useQuery(projectMembersQuery(project.id));
  const roles = useRoles(project);
  const roleList = roles.data ?? [];
  const workspace = useWorkspaces().find(({ id }) => id === project.workspace_id);
  const [isAdding, setAdding] = useState(false);
  const mayManage = can(project, "project:update");
  const mayOwn = project.is_owner || workspace?.is_admin === true;
  return (
    <>
      <Panel
        title="Members"
        lead="Owners can do everything in the project. Workspace administrators have access without being listed."
        actions={
          mayManage && (
            <Button variant="primary" icon={UserPlus} onClick={() => setAdding(true)}>
              Add member
            </Button>
          )
        }
      >
        <Loaded query={members}>
          {(list) =>
            list.length === 0 ? (
              <PanelEmpty>
                No members yet. The role of a member determines what they can do in the project.
              </PanelEmpty>
            ) : (
              <PanelList label="Members">
                {list.map((member) => (
                  <MemberRow
                    key={member.user_id}
                    project={project}
                    member={member}
                    roles={roleList}
                    mayManage={mayManage}
                    mayOwn={mayOwn}
                  />
                ))}
              </PanelList>
            )
          }
        </Loaded>
      </Panel>
      {/* How high the list of members gets is not known before, and what is below it must not move. */}
      {!members.isPending && (
        <>
          <ProjectTeams project={project} roles={roleList} mayManage={mayManage} />
          <RolePermissions roles={roles} />
        </>
      )}
      {isAdding && (
        <AddMemberDialog
          project={project}
          roles={roleList}
          members={members.data ?? []}
          mayOwn={mayOwn}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

const useRoles = (project: Project) => useQuery(rolesQuery(project.workspace_id));

function RolePermissions({ roles }: { roles: ReturnType<typeof useRoles> }) {
  return (
    <Panel
      title="Role permissions"
      lead="Roles belong to the workspace and are managed by its administrators."
      padded
    >
      <Loaded query={roles}>{(list) => <RolesView roles={list} />}</Loaded>
    </Panel>
  );
}
