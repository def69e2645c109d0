import type { FastifyRequest } from "fastify";
import { projectMemberBody, projectMemberChanges } from "../../shared/projects.ts";
import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { childId } from "../http/validation.ts";
import {
  addProjectMember,
  listProjectMembers,
  readProjectMember,
  removeProjectMember,
  updateProjectMember,
} from "./members.ts";

export function projectMemberRoutes(api: Api, { database: { db } }: Context) {
  const members = "/api/projects/:projectId/members";
  const member = `${members}/:userId`;
  const manage = { needs: "project:update" } as const;

  api.get(members, { config: { needs: "access" }, schema: { querystring: pageQuery } }, (request) =>
    listProjectMembers(db, request.project.id, request.query),
  );

  api.post(members, { config: manage, schema: { body: projectMemberBody } }, async (request, reply) => {
    const { project, access, caller, body } = request;
    return reply.code(201).send(await addProjectMember(db, project, access, caller.user_id, body));
  });

  const mustExist = async (request: FastifyRequest) => {
    await readProjectMember(db, request.project.id, childId(request, "userId"));
  };

  api.patch(
    member,
    { config: manage, schema: { body: projectMemberChanges }, preValidation: mustExist },
    (request) =>
      updateProjectMember(db, request.project, request.access, childId(request, "userId"), request.body),
  );

  api.delete(member, { config: manage }, async (request, reply) => {
    await removeProjectMember(db, request.project, request.access, childId(request, "userId"));
    return reply.code(204).send();
  });
}
