import type { z } from "zod";
import type { inboundRuleBody, inboundRuleChanges } from "../../../shared/inbound-rules.ts";
import type { ingestKeyBody, ingestKeyChanges } from "../../../shared/ingest-keys.ts";
import type { issueTemplateBody, issueTemplateChanges } from "../../../shared/issue-templates.ts";
import type { labelBody, labelChanges } from "../../../shared/labels.ts";
import type { laneBody, laneChanges } from "../../../shared/lanes.ts";
import type { privacyRuleBody, privacyRuleChanges } from "../../../shared/privacy-rules.ts";
import type { projectTokenBody, projectTokenChanges } from "../../../shared/project-tokens.ts";
import type { projectMemberBody, projectMemberChanges } from "../../../shared/projects.ts";
import { api, withQuery } from "../../api/client.ts";

type Id = number | undefined;

/** What the settings of a project add, change and delete, one request each. */
function partsAt<Body extends z.ZodType, Changes extends z.ZodType>(part: string) {
  const path = (projectId: number) => `/api/projects/${projectId}/${part}`;
  return {
    add: <T = unknown>(projectId: number, body: z.input<Body>) => api.post<T>(path(projectId), body),
    change: (projectId: number, id: Id, changes: z.input<Changes>) =>
      api.patch(`${path(projectId)}/${id}`, changes),
    /** `moveTo` replaces a deleted lane. */
    delete: (projectId: number, id: Id, moveTo?: Id) =>
      api.delete(withQuery(`${path(projectId)}/${id}`, { move_to: moveTo })),
  };
}

export const projectMembers = partsAt<typeof projectMemberBody, typeof projectMemberChanges>("members");
export const projectTokens = partsAt<typeof projectTokenBody, typeof projectTokenChanges>("tokens");
export const ingestKeys = partsAt<typeof ingestKeyBody, typeof ingestKeyChanges>("ingest-keys");
export const projectLanes = partsAt<typeof laneBody, typeof laneChanges>("lanes");
export const projectLabels = partsAt<typeof labelBody, typeof labelChanges>("labels");
export const issueTemplates = partsAt<typeof issueTemplateBody, typeof issueTemplateChanges>(
  "issue-templates",
);
export const inboundRules = partsAt<typeof inboundRuleBody, typeof inboundRuleChanges>("inbound-rules");
export const privacyRules = partsAt<typeof privacyRuleBody, typeof privacyRuleChanges>("privacy-rules");

const teamPath = (projectId: number, teamId: number | null) => `/api/projects/${projectId}/teams/${teamId}`;

/** Adds a team to a project, or changes its role there. */
export const giveToTeam = (projectId: number, teamId: number | null, roleId: Id) =>
  api.put(teamPath(projectId, teamId), { role_id: roleId });

export const takeFromTeam = (projectId: number, teamId: number) => api.delete(teamPath(projectId, teamId));
