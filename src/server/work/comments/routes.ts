import type { FastifyRequest } from "fastify";
import {
  commentAnswer,
  commentBody,
  commentChanges,
  commentListAnswer,
  MOST_ROOTS,
} from "../../../shared/comments.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { pageQueryUpTo } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { commentAccess } from "./comment-access.ts";
import { deleteComment, updateComment } from "./change-comment.ts";
import { createComment } from "./create-comment.ts";
import { toggleLike } from "./toggle-like.ts";
import { listComments } from "./list-comments.ts";
import { pinComment, unpinComment } from "./toggle-pin.ts";
import { noSuchComment, readComment } from "./read-comment.ts";
import { findTarget, type Target } from "./target.ts";

/** Comments on issues and on epics (service.md 4.2). */
export function commentRoutes(api: Api, context: Context) {
  routesOn(api, context, "issue");
  routesOn(api, context, "epic");
}

function routesOn(api: Api, { database: { db } }: Context, kind: Target["kind"]) {
  const comments = `/api/projects/:projectId/${kind}s/:${kind}Id/comments`;
  const comment = `${comments}/:commentId`;
  const access = commentAccess(db, kind);
  const Kind = kind === "issue" ? "Issue" : "Epic";
  const read = READING[kind];
  const update = { needs: `${kind}s:update` } as const;
  const listQuery = pageQueryUpTo(MOST_ROOTS);

  const target = (request: FastifyRequest) => findTarget(db, kind, request);
  const commentId = (request: FastifyRequest) => childId(request, "commentId", noSuchComment().message);
  // What is unknown outweighs what is wrong with the body.
  const targetMustExist = async (request: FastifyRequest) => {
    await target(request);
  };
  const commentMustExist = async (request: FastifyRequest) => {
    await readComment(db, await target(request), commentId(request));
  };

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
      preValidation: targetMustExist,
    },
    async (request) => listComments(db, await target(request), request.query),
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
      preValidation: targetMustExist,
    },
    async (request, reply) => {
      const { project, caller, body } = request;
      const made = await createComment(db, project, await target(request), caller.user_id, body);
      return reply.code(201).send(made);
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
      preValidation: commentMustExist,
    },
    async (request) => {
      const { project, caller, body } = request;
      const id = commentId(request);
      return updateComment(db, project, await target(request), id, caller.user_id, body.content);
    },
  );

  api.delete(
    comment,
    {
      config: { needs: "access" },
      onRequest: access.mayChange,
      schema: {
        operationId: `delete${Kind}Comment`,
        summary: `Delete a comment on an ${kind}, with its replies`,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteComment(db, await target(request), commentId(request), request.caller.user_id);
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
    },
    async (request) => pinComment(db, await target(request), commentId(request)),
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
    },
    async (request) => unpinComment(db, await target(request), commentId(request)),
  );

  api.post(
    `${comment}/like`,
    {
      config: read,
      schema: {
        operationId: `toggle${Kind}CommentLike`,
        summary: `Like a comment on an ${kind}, or like it no more`,
        response: { 200: commentAnswer },
      },
    },
    async (request) => toggleLike(db, await target(request), commentId(request), request.caller.user_id),
  );
}
