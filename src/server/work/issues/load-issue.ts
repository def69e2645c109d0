import type { FastifyRequest } from "fastify";
import type { Api } from "../../access/context.ts";
import type { Db } from "../../db/connect.ts";
import { findIssue } from "./read-issue.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The issue in the path; set by the hook `loadIssue`. */
    issue: { id: number };
  }
}

/** A `preValidation` hook, so that an unknown issue is 404 even when the body is invalid. */
export function loadIssue(api: Api, db: Db) {
  if (!api.hasRequestDecorator("issue")) api.decorateRequest("issue");
  return async (request: FastifyRequest): Promise<void> => {
    const { issueId = "" } = request.params as { issueId?: string };
    request.issue = { id: await findIssue(db, request.project, issueId) };
  };
}
