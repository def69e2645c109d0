import type { FastifyRequest } from "fastify";
import { pageOf } from "../../shared/answers.ts";
import { ownViewBody, savedViewAnswer, sharedViewBody, viewChanges } from "../../shared/saved-views.ts";
import type { Api } from "../access/context.ts";
import { noBody } from "../answers/operation.ts";
import { childId } from "../answers/validation.ts";
import { createOwnView, createSharedView, deleteView, updateView } from "./change-views.ts";
import { listViews, type Owner, readView } from "./list-views.ts";

const own = "/api/profile/views";
const shared = "/api/projects/:projectId/views";
const caller = { needs: "caller" } as const;
const manage = { needs: "project:update" } as const;
const ofCaller = (request: FastifyRequest): Owner => ({ user_id: request.caller.user_id });
const ofProject = (request: FastifyRequest): Owner => ({ project_id: request.project.id });
const viewId = (request: FastifyRequest) => childId(request, "viewId");
// Runs before validation, so that an unknown view is 404 even when the body is invalid.
const requireView = (ownerOf: typeof ofCaller) => async (request: FastifyRequest) => {
  await readView(request.db, request.caller, ownerOf(request), viewId(request));
};

/** A person's own views and favorites, and the views shared with a project. */
export function savedViewRoutes(api: Api) {
  ownRoutes(api);
  sharedRoutes(api);
  changeRoutes(api);
}

function ownRoutes(api: Api) {
  api.get(
    own,
    {
      config: caller,
      schema: {
        operationId: "listOwnViews",
        summary: "List the caller's saved views and favorites in their order, all on one page",
        response: { 200: pageOf(savedViewAnswer) },
      },
    },
    (request) => listViews(request.db, request.caller, ofCaller(request)),
  );

  api.post(
    own,
    {
      config: caller,
      schema: {
        operationId: "createOwnView",
        summary: "Save a view of a list, or make an issue or epic a favorite",
        body: ownViewBody,
        response: { 201: savedViewAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createOwnView(request.db, request.caller, request.body)),
  );
}

function sharedRoutes(api: Api) {
  api.get(
    shared,
    {
      config: { needs: "access" },
      schema: {
        operationId: "listSharedViews",
        summary: "List the views shared with a project in their order, all on one page",
        response: { 200: pageOf(savedViewAnswer) },
      },
    },
    (request) => listViews(request.db, request.caller, ofProject(request)),
  );

  api.post(
    shared,
    {
      config: manage,
      schema: {
        operationId: "createSharedView",
        summary: "Share a view of a list with everyone in the project who can read that list",
        body: sharedViewBody,
        response: { 201: savedViewAnswer },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createSharedView(request.db, request.caller, request.project.id, request.body)),
  );
}

function changeRoutes(api: Api) {
  for (const { path, config, ownerOf, Kind, whose } of [
    { path: own, config: caller, ownerOf: ofCaller, Kind: "Own", whose: "one of the caller's views" },
    { path: shared, config: manage, ownerOf: ofProject, Kind: "Shared", whose: "a shared view" },
  ] as const) {
    api.patch(
      `${path}/:viewId`,
      {
        config,
        schema: {
          operationId: `update${Kind}View`,
          summary: `Rename, change or move ${whose}`,
          body: viewChanges,
          response: { 200: savedViewAnswer },
        },
        preValidation: requireView(ownerOf),
      },
      (request) =>
        updateView(request.db, request.caller, ownerOf(request), {
          viewId: viewId(request),
          changes: request.body,
        }),
    );

    api.delete(
      `${path}/:viewId`,
      {
        config,
        schema: {
          operationId: `delete${Kind}View`,
          summary: `Delete ${whose}`,
          response: { 204: noBody },
        },
      },
      async (request, reply) => {
        await deleteView(request.db, ownerOf(request), viewId(request));
        return reply.code(204).send();
      },
    );
  }
}
