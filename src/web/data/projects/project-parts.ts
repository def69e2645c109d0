import { api, withQuery } from "../../api/client.ts";

type Id = number | undefined;

/** What the settings of a project add, change and delete, one request each. */
const partsAt = (part: string) => {
  const path = (projectId: number) => `/api/projects/${projectId}/${part}`;
  return {
    add: <T = unknown>(projectId: number, body: object) => api.post<T>(path(projectId), body),
    change: (projectId: number, id: Id, changes: object) => api.patch(`${path(projectId)}/${id}`, changes),
    /** `moveTo` replaces a deleted lane. */
    delete: (projectId: number, id: Id, moveTo?: Id) =>
      api.delete(withQuery(`${path(projectId)}/${id}`, { move_to: moveTo })),
  };
};

export type ProjectParts = ReturnType<typeof partsAt>;

export const projectMembers = partsAt("members");
export const projectTokens = partsAt("tokens");
export const ingestKeys = partsAt("ingest-keys");
export const projectLanes = partsAt("lanes");
export const projectLabels = partsAt("labels");
export const issueTemplates = partsAt("issue-templates");
export const inboundRules = partsAt("inbound-rules");
export const privacyRules = partsAt("privacy-rules");

const teamPath = (projectId: number, teamId: number | null) => `/api/projects/${projectId}/teams/${teamId}`;

/** Adds a team to a project, or changes its role there. */
export const giveToTeam = (projectId: number, teamId: number | null, roleId: Id) =>
  api.put(teamPath(projectId, teamId), { role_id: roleId });

export const takeFromTeam = (projectId: number, teamId: number) => api.delete(teamPath(projectId, teamId));
