import type { Client } from "../support/client.ts";
import { type ForeignIdCase, type ForeignIdCases, type OwnProject } from "./foreign-id-case.ts";

const ofWorkspace: Pick<ForeignIdCase, "of"> = { of: ["C"] };

/** Ids in requests about members, roles, teams and invitations. */
export function foreignIdsOfPeople({ path: p, own, fixture }: OwnProject): ForeignIdCases {
  const invite = (client: Client, project: object) =>
    client.post(`/api/workspaces/${fixture.one.id}/invitations`, {
      email: "somebody@example.com",
      projects: [project],
    });
  return {
    "move_to of a deleted role": {
      status: 422,
      id: "roleId",
      ...ofWorkspace,
      administrator: "only",
      send: (client, id) =>
        client.delete(`/api/workspaces/${fixture.one.id}/roles/${own("usedRoleId")}?move_to=${id}`),
    },
    "user_id of a new member": {
      status: 422,
      id: "userId",
      ...ofWorkspace,
      send: (client, id) => client.post(`${p}/members`, { user_id: id, role_id: own("viewerRoleId") }),
    },
    "role_id of a new member": {
      status: 422,
      id: "roleId",
      ...ofWorkspace,
      send: (client, id) =>
        client.post(`${p}/members`, { user_id: Number(fixture.B["userId"]), role_id: id }),
    },
    "role_id of a changed member": {
      status: 422,
      id: "roleId",
      ...ofWorkspace,
      send: (client, id) => client.patch(`${p}/members/${own("userId")}`, { role_id: id }),
    },
    "role_id of a project given to a team": {
      status: 422,
      id: "roleId",
      ...ofWorkspace,
      send: (client, id) => client.put(`${p}/teams/${own("teamId")}`, { role_id: id }),
    },
    "project_id of an invitation": {
      status: 422,
      id: "projectId",
      ...ofWorkspace,
      administrator: "only",
      send: (client, id) => invite(client, { project_id: id, role_id: own("viewerRoleId") }),
    },
    "role_id of an invitation": {
      status: 422,
      id: "roleId",
      ...ofWorkspace,
      administrator: "only",
      send: (client, id) => invite(client, { project_id: own("projectId"), role_id: id }),
    },
  };
}
