import { sql, type RawBuilder } from "kysely";
import type { FastifyRequest } from "fastify";
import type { Api } from "../../access/context.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import { childId } from "../../answers/validation.ts";
import type { Comment } from "../../../shared/comments.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import type { Permission } from "../../../shared/permissions.ts";
import { findIssue, noSuchIssue } from "../issues/read-issue.ts";

export type TargetKind = "issue" | "epic" | "error_group" | "report";

/** An issue, epic, error group or report that can have comments. */
export type CommentTarget = { project_id: number; kind: TargetKind; id: number };

type KindOfTarget = {
  /** Its table, and `commentable_type` in the API. */
  type: Comment["commentable_type"];
  /** Its path below the project, with the name of its parameter. */
  path: string;
  parameter: string;
  /** The name in operation ids: `listIssueComments`. */
  operation: string;
  /** In sentences: "an issue", "this issue". */
  article: "a" | "an";
  noun: string;
  update: Permission;
};

export const TARGETS: Record<TargetKind, KindOfTarget> = {
  issue: {
    type: "issues",
    path: "issues/:issueId",
    parameter: "issueId",
    operation: "Issue",
    article: "an",
    noun: "issue",
    update: "issues:update",
  },
  epic: {
    type: "epics",
    path: "epics/:epicId",
    parameter: "epicId",
    operation: "Epic",
    article: "an",
    noun: "epic",
    update: "epics:update",
  },
  error_group: {
    type: "error_groups",
    path: "error-groups/:errorGroupId",
    parameter: "errorGroupId",
    operation: "ErrorGroup",
    article: "an",
    noun: "error group",
    update: "error-groups:update",
  },
  report: {
    type: "reports",
    path: "reports/:reportId",
    parameter: "reportId",
    operation: "Report",
    article: "a",
    noun: "report",
    update: "reports:update",
  },
};

export const TARGET_KINDS = Object.keys(TARGETS) as TargetKind[];

declare module "fastify" {
  interface FastifyRequest {
    /** What the path names; set by the hook `loadTarget`. */
    target: CommentTarget;
  }
}

/** A `preValidation` hook, so that an unknown target is 404 even when the body is invalid. */
export function loadTarget(api: Api, db: Db, kind: TargetKind) {
  if (!api.hasRequestDecorator("target")) api.decorateRequest("target");
  return async (request: FastifyRequest): Promise<void> => {
    const id = kind === "issue" ? await issueIn(db, request) : await rowIn(db, request, kind);
    request.target = { project_id: request.project.id, kind, id };
  };
}

function issueIn(db: Db, { project, params }: FastifyRequest): Promise<number> {
  const { issueId = "" } = params as { issueId?: string };
  return findIssue(db, project, issueId);
}

async function rowIn(db: Db, request: FastifyRequest, kind: TargetKind): Promise<number> {
  const { type, parameter } = TARGETS[kind];
  const id = childId(request, parameter, noSuchTarget(kind).message);
  const row = await db
    .selectFrom(type)
    .select("id")
    .where("project_id", "=", request.project.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw await missingTarget(db, { project_id: request.project.id, kind, id });
  return row.id;
}

const missingTarget = async (db: Db, { project_id, kind, id }: CommentTarget) =>
  kind === "error_group" ? missingGroup(db, project_id, id) : noSuchTarget(kind);

const noSuchTarget = (kind: TargetKind) =>
  kind === "issue" ? noSuchIssue() : notFound(`There is no such ${TARGETS[kind].noun}.`);

/** The condition on `comments c` of this target. */
export function isOn(target: CommentTarget): RawBuilder<boolean> {
  return sql<boolean>`(c.project_id = ${target.project_id} and ${sql.ref(`c.${target.kind}_id`)} = ${target.id})`;
}

/**
 * Prevents the deletion of the target until the transaction ends; 404 if it no longer exists. An `exclusive` lock also
 * excludes other transactions that take one. Take it before locking any comment: deleting the target locks in this order
 * too, and the reverse would deadlock with it.
 *
 * Ingestion updates the row of an error group, so that row is only locked against deletion; the row in
 * `error_group_classes`, which no event updates, excludes other transactions.
 */
export async function lockTarget(tx: Tx, target: CommentTarget, mode: "shared" | "exclusive"): Promise<void> {
  const isGroup = target.kind === "error_group";
  const lock = mode === "exclusive" && !isGroup ? sql`for no key update` : sql`for key share`;
  const { rows } = await sql`
    select from ${sql.table(TARGETS[target.kind].type)}
    where project_id = ${target.project_id} and id = ${target.id} ${lock}`.execute(tx);
  if (rows.length === 0) throw await missingTarget(tx, target);
  if (mode === "exclusive" && isGroup)
    await sql`select from error_group_classes where group_id = ${target.id} for no key update`.execute(tx);
}

/** Updates `updated_at` after a change of the target's files. Not for error groups, whose fields do not include files. */
export async function touchTarget(tx: Tx, { kind, id }: CommentTarget): Promise<void> {
  if (kind === "error_group") return;
  await sql`
    update ${sql.table(TARGETS[kind].type)} set updated_at = clock_timestamp() where id = ${id}`.execute(tx);
}
