import type { FastifyRequest } from "fastify";
import {
  commentAnswer,
  commentBody,
  commentChanges,
  commentListAnswer,
  MAX_ROOTS,
} from "../../../shared/comments.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
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
import { loadTarget, type Target } from "./target.ts";

export function commentRoutes(api: Api, context: Context) {
  routesOn(api, context, "issue");
  routesOn(api, context, "epic");
}

function routesOn(api: Api, { database: { db }, storage }: Context, kind: Target["kind"]) {
  const comments = `/api/projects/:projectId/${kind}s/:${kind}Id/comments`;
  const comment = `${comments}/:commentId`;
  const access = commentAccess(api, db, kind);
  const Kind = kind === "issue" ? "Issue" : "Epic";
  const read = READING[kind];
  const update = { needs: `${kind}s:update` } as const;
  const listQuery = pageQueryUpTo(MAX_ROOTS);

  const preValidation = loadTarget(api, db, kind);
  const commentId = (request: FastifyRequest) => childId(request, "commentId", noSuchComment().message);

  api.get(
    comments,
    {
      config: read,
      schema: {
        operationId: `list${Kind}Comments`,
        summary: `List the comments on an ${kind}`,
        querystring: listQuery,
        response: { 200: commentListAnswer },
      },
      preValidation,
    },
    (request) => listComments(db, request.target, request.query),
  );

  api.post(
    comments,
    {
      config: { needs: "comments:create" },
      onRequest: access.mayRead,
      schema: {
        operationId: `create${Kind}Comment`,
        summary: `Comment on an ${kind}`,
        body: commentBody,
        response: { 201: commentAnswer },
      },
      preValidation,
    },
    async (request, reply) => {
      const { project, target, caller, body } = request;
      return reply.code(201).send(await createComment(db, project, target, caller.user_id, body));
    },
  );

  api.put(
    comment,
    {
      config: { needs: "access" },
      onRequest: access.mayChange,
      schema: {
        operationId: `update${Kind}Comment`,
        summary: `Change a comment on an ${kind}`,
        body: commentChanges,
        response: { 200: commentAnswer },
      },
      preValidation: [preValidation, access.requireComment],
    },
    (request) => {
      const { project, target, caller, body } = request;
      return updateComment(db, project, target, commentId(request), caller.user_id, body.content);
    },
  );

  api.delete(
    comment,
    {
      config: { needs: "access" },
      onRequest: access.mayChange,
      schema: {
        operationId: `delete${Kind}Comment`,
        summary: `Delete a comment on an ${kind} and its replies`,
        response: { 204: noBody },
      },
      preValidation,
    },
    async (request, reply) => {
      await deleteComment(db, request.target, commentId(request), request.caller.user_id);
      await removeDeletedFilesNow(db, storage, request.log);
      return reply.code(204).send();
    },
  );

  api.post(
    `${comment}/pin`,
    {
      config: update,
      schema: {
        operationId: `pin${Kind}Comment`,
        summary: `Pin a comment on an ${kind}`,
        response: { 200: commentAnswer },
      },
      preValidation,
    },
    (request) => pinComment(db, request.target, commentId(request)),
  );

  api.delete(
    `${comment}/pin`,
    {
      config: update,
      schema: {
        operationId: `unpin${Kind}Comment`,
        summary: `Unpin a comment on an ${kind}`,
        response: { 200: commentAnswer },
      },
      preValidation,
    },
    (request) => unpinComment(db, request.target, commentId(request)),
  );

  api.post(
    `${comment}/like`,
    {
      config: read,
      schema: {
        operationId: `toggle${Kind}CommentLike`,
        summary: `Toggle liking a comment on an ${kind}`,
        response: { 200: commentAnswer },
      },
      preValidation,
    },
    (request) => toggleLike(db, request.target, commentId(request), request.caller.user_id),
  );
}
