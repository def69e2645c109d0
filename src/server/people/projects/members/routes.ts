import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import {
  projectMemberAnswer,
  projectMemberBody,
  projectMemberChanges,
  projectPersonAnswer,
} from "../../../../shared/projects.ts";
import { booleanFilter } from "../../../../shared/filters.ts";
import type { Api } from "../../../access/context.ts";
import { pageQuery } from "../../../answers/page.ts";
import { childId } from "../../../answers/validation.ts";
import { noBody } from "../../../answers/operation.ts";
import { listFormerPeople } from "./list-former-people.ts";
import { listProjectPeople } from "./list-people.ts";
import { addProjectMember } from "./add-member.ts";
import { listProjectMembers, readProjectMember } from "./read-members.ts";
import { removeProjectMember } from "./remove-member.ts";
import { updateProjectMember } from "./update-member.ts";

const peopleQuery = pageQuery.extend({
  former: booleanFilter.describe(
    "Lists the people who can no longer access it but have assigned, written or changed something there, instead of those who can.",
  ),
});

const members = "/api/projects/:projectId/members";
const member = `${members}/:userId`;
const manage = { needs: "project:update" } as const;
const mustExist = async (request: FastifyRequest) => {
  await readProjectMember(request.db, request.project.id, childId(request, "userId"));
};

export function projectMemberRoutes(api: Api) {
  readingRoutes(api);
  additionRoutes(api);
  changeRoutes(api);
}

function readingRoutes(api: Api) {
  api.get(
    members,
    {
      config: { needs: "access" },
      schema: {
        operationId: "listProjectMembers",
        summary: "List a project's members",
        querystring: pageQuery,
        response: { 200: pageOf(projectMemberAnswer) },
      },
    },
    (request) => listProjectMembers(request.db, request.project.id, request.query),
  );

  api.get(
    "/api/projects/:projectId/people",
    {
      config: { needs: "access" },
      schema: {
        operationId: "listProjectPeople",
        summary: "List everybody who can access a project",
        querystring: peopleQuery,
        response: { 200: pageOf(projectPersonAnswer) },
      },
    },
    ({ db, project, query }) =>
      query.former === true ? listFormerPeople(db, project, query) : listProjectPeople(db, project, query),
  );
}

function additionRoutes(api: Api) {
  api.post(
    members,
    {
      config: manage,
      schema: {
        operationId: "addProjectMember",
        summary: "Add a member to a project",
        description: "Making someone an owner requires a browser session.",
        body: projectMemberBody,
        response: { 201: projectMemberAnswer },
      },
    },
    async (request, reply) => {
      const { project, access, caller, body } = request;
      return reply.code(201).send(await addProjectMember(request.db, project, { access, caller, body }));
    },
  );
}

function changeRoutes(api: Api) {
  api.patch(
    member,
    {
      config: manage,
      schema: {
        operationId: "updateProjectMember",
        summary: "Update a project member",
        description: "Making someone an owner requires a browser session.",
        body: projectMemberChanges,
        response: { 200: projectMemberAnswer },
      },
      preValidation: mustExist,
    },
    (request) =>
      updateProjectMember(request.db, request.project, {
        access: request.access,
        userId: childId(request, "userId"),
        body: request.body,
        caller: request.caller,
      }),
  );

  api.delete(
    member,
    {
      config: manage,
      schema: {
        operationId: "removeProjectMember",
        summary: "Remove a member from a project",
        refuses: [422],
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await removeProjectMember(request.db, request.project, request.access, childId(request, "userId"));
      return reply.code(204).send();
    },
  );
}
