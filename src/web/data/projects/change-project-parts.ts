import type { IngestKey } from "../../../shared/ingest-keys.ts";
import type { Lane } from "../../../shared/lanes.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import type { ProjectMember } from "../../../shared/projects.ts";
import type { ProjectTeam } from "../../../shared/teams.ts";
import { memberId, projectTeamId } from "../cache/cached-copies.ts";
import { movedTo } from "./moved-to.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { nameOf } from "./people.ts";
import { giveToTeam, ingestKeys, projectLanes, projectMembers, projectTokens } from "./project-parts.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";

/** Moves a lane to an index among the others. */
export function useMoveLane(projectId: number, lanes: readonly Lane[]) {
  const { mutate } = useOptimistic<{ id: string; position: number }>({
    send: ({ id, position }) => projectLanes.change(projectId, Number(id), { position }),
    key: ["lane", projectId],
    patch: (client, { id, position }) => {
      const moved = movedTo(lanes, (lane) => String(lane.id) === id, position).map((lane) => lane.id);
      return patchEverywhere(client, "lane", new Set(moved), (lane) => ({
        position: moved.indexOf(lane.id),
      }));
    },
    failed: "The lane could not be moved",
  });
  return (id: string, position: number) => mutate({ id, position });
}

export const useChangeTeamRole = (projectId: number, team: ProjectTeam) =>
  useOptimistic<{ role_id: number }>({
    send: ({ role_id }) => giveToTeam(projectId, team.team_id, role_id),
    key: ["team", projectId],
    patch: (client, changes) =>
      patchEverywhere(client, "team", projectTeamId(projectId, team.team_id), changes),
    stale: [["team"], ["people", projectId], ["project"]],
    failed: `${team.name} could not be changed`,
  });

export const useChangeMember = (projectId: number, member: ProjectMember) =>
  useOptimistic<Partial<ProjectMember>>({
    send: (changes) => projectMembers.change(projectId, member.user_id, changes),
    key: ["member", projectId],
    patch: (client, changes) =>
      patchEverywhere(client, "member", memberId(projectId, member.user_id), changes),
    stale: [["project"], ["people", projectId]],
    failed: `${nameOf(member)} could not be changed`,
  });

export const useSwitchToken = (projectId: number, { id, name }: ProjectToken) =>
  useOptimistic<{ active: boolean }>({
    send: (changes) => projectTokens.change(projectId, id, changes),
    key: ["token", projectId],
    patch: (client, changes) => patchEverywhere(client, "token", id, changes),
    failed: `${name} could not be changed`,
  });

export const useSwitchIngestKey = (projectId: number, { id, name }: IngestKey) =>
  useOptimistic<{ active: boolean }>({
    send: (changes) => ingestKeys.change(projectId, id, changes),
    key: ["ingest_key", projectId],
    patch: (client, changes) => patchEverywhere(client, "ingest_key", id, changes),
    failed: `${name} could not be changed`,
  });
