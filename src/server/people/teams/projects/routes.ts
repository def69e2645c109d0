import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import { projectTeamAnswer, projectTeamBody } from "../../../../shared/teams.ts";
import type { Api } from "../../../access/context.ts";
import { pageQuery } from "../../../answers/page.ts";
import { childId } from "../../../answers/validation.ts";
import { noBody } from "../../../answers/operation.ts";
import { deleteProjectTeam } from "./delete-project-team.ts";
import { listProjectTeams } from "./read-project-teams.ts";
import { putProjectTeam } from "./put-project-team.ts";
import { readTeam } from "../read-teams.ts";

const teams = "/api/projects/:projectId/teams";
const team = `${teams}/:teamId`;
const manage = { needs: "project:update" } as const;
const teamId = (request: FastifyRequest) => childId(request, "teamId", "There is no such team.");

const mustExist = async (request: FastifyRequest) => {
  await readTeam(request.db, request.project.workspace_id, teamId(request));
};

export function projectTeamRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    teams,
    {
      config: { needs: "access" },
      schema: {
        operationId: "listProjectTeams",
        summary: "List a project's teams",
        querystring: pageQuery,
        response: { 200: pageOf(projectTeamAnswer) },
      },
    },
    (request) => listProjectTeams(request.db, request.project.id, request.query),
  );
}

function itemRoutes(api: Api) {
  api.put(
    team,
    {
      config: manage,
      schema: {
        operationId: "putProjectTeam",
        summary: "Give a team access to a project",
        body: projectTeamBody,
        response: { 200: projectTeamAnswer, 201: projectTeamAnswer },
      },
      preValidation: mustExist,
    },
    async (request, reply) => {
      const { project, access, caller, body } = request;
      const put = await putProjectTeam(request.db, project, {
        access,
        actorId: caller.user_id,
        teamId: teamId(request),
        body,
      });
      return reply.code(put.isNew ? 201 : 200).send(put.team);
    },
  );

  api.delete(
    team,
    {
      config: manage,
      schema: {
        operationId: "deleteProjectTeam",
        summary: "Remove a team's access to a project",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteProjectTeam(request.db, request.project, teamId(request));
      return reply.code(204).send();
    },
  );
}
