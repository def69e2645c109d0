import type { FastifyRequest } from "fastify";
import {
  commentAnswer,
  commentBody,
  commentChanges,
  commentListAnswer,
  MAX_ROOTS,
} from "../../../shared/comments.ts";
import type { Permission } from "../../../shared/permissions.ts";
import type { Area } from "../../../shared/token-scopes.ts";
import type { Api, Context } from "../../access/context.ts";
import type { Feature } from "../../access/features.ts";
import { requirePermission, type Access } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import { invalid } from "../../answers/errors.ts";
import { pageQueryUpTo } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { commentAccess } from "./comment-access.ts";
import { deleteComment } from "./delete-comment.ts";
import { updateComment } from "./update-comment.ts";
import { createComment } from "./create-comment.ts";
import { toggleLike } from "./toggle-like.ts";
import { listComments } from "./list-comments.ts";
import { pinComment, unpinComment } from "./pin-comment.ts";
import { noSuchComment } from "./read-comment.ts";
import { loadTarget, TARGET_KINDS, TARGETS, type TargetKind } from "./target.ts";

export function commentRoutes(api: Api, context: Context) {
  for (const kind of TARGET_KINDS) routesOn(api, context, kind);
}

const listQuery = pageQueryUpTo(MAX_ROOTS);
const commentId = (request: FastifyRequest) => childId(request, "commentId", noSuchComment().message);

function describe(kind: TargetKind) {
  const { path, operation: Kind, article, noun, update: permission } = TARGETS[kind];
  const comments = `/api/projects/:projectId/${path}/comments`;
  const { needs, feature, area }: { needs: Permission; feature?: Feature; area: Area } = READING[kind];
  // Project tokens that read error groups or reports do not read the comments on them.
  const inArea = feature === undefined ? { area } : { area, feature };
  return {
    Kind,
    comments,
    comment: `${comments}/:commentId`,
    what: `${article} ${noun}`,
    read: { needs, ...inArea },
    update: { needs: permission, ...inArea },
    inArea,
  };
}

function routesOn(api: Api, context: Context, kind: TargetKind) {
  listRouteOn(api, context, kind);
  createRouteOn(api, context, kind);
  changeRoutesOn(api, context, kind);
  markRoutesOn(api, context, kind);
}

function listRouteOn(api: Api, { outside }: Context, kind: TargetKind) {
  const { Kind, comments, what, read } = describe(kind);
  const preValidation = loadTarget(api, outside, kind);

  api.get(
    comments,
    {
      config: read,
      schema: {
        operationId: `list${Kind}Comments`,
        summary: `List the comments on ${what}`,
        querystring: listQuery,
        response: { 200: commentListAnswer },
      },
      preValidation,
    },
    (request) => listComments(request.db, request.target, request.query),
  );
}

function createRouteOn(api: Api, { outside }: Context, kind: TargetKind) {
  const { Kind, comments, what, inArea } = describe(kind);

  api.post(
    comments,
    {
      config: { needs: "comments:create", ...inArea },
      onRequest: commentAccess(api, outside, kind).mayRead,
      schema: {
        operationId: `create${Kind}Comment`,
        summary: `Comment on ${what}`,
        body: commentBody,
        response: { 201: commentAnswer },
      },
      preValidation: loadTarget(api, outside, kind),
    },
    async (request, reply) => {
      const { project, target, caller, body } = request;
      if (body.is_public) requirePublishing(request.access, kind);
      return reply
        .code(201)
        .send(await createComment(request.db, project, { target, actorId: caller.user_id, body }));
    },
  );
}

/** Only reports have an author who may see comments. What they read speaks for the team. */
function requirePublishing(access: Access, kind: TargetKind): void {
  if (kind !== "report") throw invalid({ is_public: ["is for comments on reports only"] });
  requirePermission(access, TARGETS.report.update);
}

function changeRoutesOn(api: Api, { outside, storage }: Context, kind: TargetKind) {
  const { Kind, comment, what, inArea } = describe(kind);
  const access = commentAccess(api, outside, kind);
  const preValidation = loadTarget(api, outside, kind);

  api.put(
    comment,
    {
      config: { needs: "access", ...inArea },
      onRequest: access.mayChange,
      schema: {
        operationId: `update${Kind}Comment`,
        summary: `Change a comment on ${what}`,
        body: commentChanges,
        response: { 200: commentAnswer },
      },
      preValidation: [preValidation, access.requireComment],
    },
    (request) => {
      const { project, target, caller, body } = request;
      return updateComment(request.db, project, {
        target,
        commentId: commentId(request),
        actorId: caller.user_id,
        content: body.content,
      });
    },
  );

  api.delete(
    comment,
    {
      config: { needs: "access", ...inArea },
      onRequest: access.mayChange,
      schema: {
        operationId: `delete${Kind}Comment`,
        summary: `Delete a comment on ${what} and its replies`,
        response: { 204: noBody },
      },
      preValidation,
    },
    async (request, reply) => {
      await deleteComment(request.db, request.target, commentId(request), request.caller.user_id);
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}

function markRoutesOn(api: Api, { outside }: Context, kind: TargetKind) {
  const { Kind, comment, what, read, update } = describe(kind);
  const preValidation = loadTarget(api, outside, kind);

  api.post(
    `${comment}/pin`,
    {
      config: update,
      schema: {
        operationId: `pin${Kind}Comment`,
        summary: `Pin a comment on ${what}`,
        response: { 200: commentAnswer },
      },
      preValidation,
    },
    (request) => pinComment(request.db, request.target, commentId(request)),
  );

  api.delete(
    `${comment}/pin`,
    {
      config: update,
      schema: {
        operationId: `unpin${Kind}Comment`,
        summary: `Unpin a comment on ${what}`,
        response: { 200: commentAnswer },
      },
      preValidation,
    },
    (request) => unpinComment(request.db, request.target, commentId(request)),
  );

  api.post(
    `${comment}/like`,
    {
      config: read,
      schema: {
        operationId: `toggle${Kind}CommentLike`,
        summary: `Toggle liking a comment on ${what}`,
        response: { 200: commentAnswer },
      },
      preValidation,
    },
    (request) => toggleLike(request.db, request.target, commentId(request), request.caller.user_id),
  );
}
