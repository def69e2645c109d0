import { sql, type RawBuilder } from "kysely";
import type { FastifyRequest } from "fastify";
import type { Db, Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import { childId } from "../../answers/validation.ts";
import { findIssue, noSuchIssue } from "../issues/read-issue.ts";

/** What is commented on: an issue or an epic of a project. */
export type Target = { project_id: number; kind: "issue" | "epic"; id: number };

const noSuchEpic = () => notFound("There is no such epic.");

/** The issue, by id or key, or the epic that a path names; 404 when the project has none. */
export async function findTarget(db: Db, kind: Target["kind"], request: FastifyRequest): Promise<Target> {
  const { project, params } = request;
  const target = (id: number): Target => ({ project_id: project.id, kind, id });
  if (kind === "issue") return target(await findIssue(db, project, (params as { issueId: string }).issueId));
  const epic = await db
    .selectFrom("epics")
    .select("id")
    .where("project_id", "=", project.id)
    .where("id", "=", childId(request, "epicId", noSuchEpic().message))
    .executeTakeFirst();
  if (!epic) throw noSuchEpic();
  return target(epic.id);
}

/** A condition on `comments c`. */
export function isOn(target: Target): RawBuilder<boolean> {
  return sql<boolean>`(c.project_id = ${target.project_id} and ${sql.ref(`c.${target.kind}_id`)} = ${target.id})`;
}

/**
 * Keeps the issue or epic until the transaction ends; 404 when it is gone. `alone`: those who ask for the same wait for
 * each other. Taken before any lock on a comment, as a deletion of the whole does, so that nobody waits in a circle.
 */
export async function lockTarget(tx: Tx, target: Target, how: "shared" | "alone"): Promise<void> {
  const lock = how === "alone" ? sql`for no key update` : sql`for key share`;
  const { rows } = await sql`
    select from ${sql.table(`${target.kind}s`)}
    where project_id = ${target.project_id} and id = ${target.id} ${lock}`.execute(tx);
  if (rows.length === 0) throw target.kind === "issue" ? noSuchIssue() : noSuchEpic();
}
