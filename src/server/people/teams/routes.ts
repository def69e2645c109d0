import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import {
  teamAnswer,
  teamBody,
  teamChanges,
  teamDetailAnswer,
  teamMemberAnswer,
} from "../../../shared/teams.ts";
import type { Api } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { addTeamMember } from "./add-team-member.ts";
import { removeTeamMember } from "./remove-team-member.ts";
import { createTeam } from "./create-team.ts";
import { deleteTeam } from "./delete-team.ts";
import { listTeams, readTeam, readTeamDetail } from "./read-teams.ts";
import { updateTeam } from "./update-team.ts";

const teams = "/api/workspaces/:workspaceId/teams";
const team = `${teams}/:teamId`;
const member = `${team}/members/:userId`;
const read = { needs: "member" } as const;
const manage = { needs: "administrator" } as const;
const teamId = (request: FastifyRequest) => childId(request, "teamId", "There is no such team.");
const mustExist = async (request: FastifyRequest) => {
  await readTeam(request.db, request.workspace.id, teamId(request));
};
const membership = (request: FastifyRequest) => ({
  workspaceId: request.workspace.id,
  teamId: teamId(request),
  userId: childId(request, "userId", "There is no such member."),
});

export function teamRoutes(api: Api) {
  listRoutes(api);
  changeRoutes(api);
  memberRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    teams,
    {
      config: read,
      schema: {
        operationId: "listTeams",
        summary: "List a workspace's teams",
        querystring: pageQuery,
        response: { 200: pageOf(teamAnswer) },
      },
    },
    (request) => listTeams(request.db, request.workspace.id, request.query),
  );

  api.post(
    teams,
    {
      config: manage,
      schema: {
        operationId: "createTeam",
        summary: "Create a team",
        body: teamBody,
        response: { 201: teamAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createTeam(request.db, request.workspace.id, request.body)),
  );

  api.get(
    team,
    {
      config: read,
      schema: {
        operationId: "readTeam",
        summary: "Read a team with its members and projects",
        response: { 200: teamDetailAnswer },
      },
    },
    (request) => readTeamDetail(request.db, request.workspace.id, teamId(request), request.caller.user_id),
  );
}

function changeRoutes(api: Api) {
  api.patch(
    team,
    {
      config: manage,
      schema: {
        operationId: "updateTeam",
        summary: "Update a team",
        body: teamChanges,
        response: { 200: teamAnswer },
      },
      preValidation: mustExist,
    },
    (request) => updateTeam(request.db, request.workspace.id, teamId(request), request.body),
  );

  api.delete(
    team,
    {
      config: manage,
      schema: { operationId: "deleteTeam", summary: "Delete a team", response: { 204: noBody } },
    },
    async (request, reply) => {
      await deleteTeam(request.db, request.workspace.id, teamId(request));
      return reply.code(204).send();
    },
  );
}

function memberRoutes(api: Api) {
  api.post(
    member,
    {
      config: manage,
      schema: {
        operationId: "addTeamMember",
        summary: "Add a member to a team",
        description: "201 if the member is new, 200 if they are already in the team.",
        refuses: [422],
        response: { 200: teamMemberAnswer, 201: teamMemberAnswer },
      },
    },
    async (request, reply) => {
      const { isNew, member } = await addTeamMember(request.db, membership(request), request.caller.user_id);
      return reply.code(isNew ? 201 : 200).send(member);
    },
  );

  api.delete(
    member,
    {
      config: manage,
      schema: {
        operationId: "removeTeamMember",
        summary: "Remove a member from a team",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await removeTeamMember(request.db, membership(request));
      return reply.code(204).send();
    },
  );
}
