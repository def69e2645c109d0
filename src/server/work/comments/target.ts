import { sql, type RawBuilder } from "kysely";
import type { FastifyRequest } from "fastify";
import type { Api } from "../../access/context.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import { childId } from "../../answers/validation.ts";
import { findIssue, noSuchIssue } from "../issues/read-issue.ts";

/** The issue or epic that comments are on. */
export type Target = { project_id: number; kind: "issue" | "epic"; id: number };

declare module "fastify" {
  interface FastifyRequest {
    /** The issue or epic in the path; set by the hook `loadTarget`. */
    target: Target;
  }
}

/** A `preValidation` hook, so that an unknown issue or epic is 404 even when the body is invalid. */
export function loadTarget(api: Api, db: Db, kind: Target["kind"]) {
  if (!api.hasRequestDecorator("target")) api.decorateRequest("target");
  return async (request: FastifyRequest): Promise<void> => {
    const id = kind === "issue" ? await issueIn(db, request) : await epicIn(db, request);
    request.target = { project_id: request.project.id, kind, id };
  };
}

function issueIn(db: Db, { project, params }: FastifyRequest): Promise<number> {
  const { issueId = "" } = params as { issueId?: string };
  return findIssue(db, project, issueId);
}

async function epicIn(db: Db, request: FastifyRequest): Promise<number> {
  const epic = await db
    .selectFrom("epics")
    .select("id")
    .where("project_id", "=", request.project.id)
    .where("id", "=", childId(request, "epicId", noSuchEpic().message))
    .executeTakeFirst();
  if (!epic) throw noSuchEpic();
  return epic.id;
}

const noSuchEpic = () => notFound("There is no such epic.");

/** A condition on `comments c`. */
export function isOn(target: Target): RawBuilder<boolean> {
  return sql<boolean>`(c.project_id = ${target.project_id} and ${sql.ref(`c.${target.kind}_id`)} = ${target.id})`;
}

/**
 * Prevents the deletion of the issue or epic until the transaction ends; 404 if it no longer exists. An `exclusive` lock
 * also excludes other transactions that take one. Take it before locking any comment: deleting the issue or epic locks
 * in this order too, and the reverse would deadlock with it.
 */
export async function lockTarget(tx: Tx, target: Target, mode: "shared" | "exclusive"): Promise<void> {
  const lock = mode === "exclusive" ? sql`for no key update` : sql`for key share`;
  const { rows } = await sql`
    select from ${sql.table(`${target.kind}s`)}
    where project_id = ${target.project_id} and id = ${target.id} ${lock}`.execute(tx);
  if (rows.length === 0) throw target.kind === "issue" ? noSuchIssue() : noSuchEpic();
}
