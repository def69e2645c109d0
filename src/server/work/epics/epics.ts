import { sql } from "kysely";
import type { z } from "zod";
import type { Epic, epicBody, epicChanges, epicFilters } from "../../../shared/epics.ts";
import { detachIssues } from "../../record/issue-history.ts";
import { changesBetween, noteChange, noteDeletion } from "../../record/changed-objects.ts";
import { recordAudit } from "../../record/audit.ts";
import { type ProjectRef, usersWhere } from "../../access/access-queries.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { isAmong, meAs } from "../../db/is-among.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { requireOrder } from "../../answers/day-order.ts";
import { invalid, notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import { attachmentsField } from "../../attachments/list-attachments.ts";
import { lockProject } from "../../people/projects/lock-project.ts";

/** Sorted by id. `userId` is the owner that `me` stands for. */
export function listEpics(
  db: Db,
  projectId: number,
  userId: number,
  query: PageQuery & Partial<z.output<typeof epicFilters>>,
): Promise<Page<Epic>> {
  const { owner_id: owners, state } = query;
  let epics = epicsOf(db, projectId);
  if (owners !== undefined) epics = epics.where(isAmong("e.owner_id", meAs(userId, owners)));
  if (state !== undefined) epics = epics.where("e.state", "=", state);
  return readPage(epics.$castTo<Epic>(), query, "e.id");
}

/** 404 if the project has no such epic. */
export async function readEpic(db: Db, projectId: number, epicId: number): Promise<Epic> {
  const row = await epicsOf(db, projectId).where("e.id", "=", epicId).executeTakeFirst();
  if (!row) throw notFound("There is no such epic.");
  return row as Epic;
}

/** The project's epics with these ids. Unknown ids are left out. */
export async function readEpics(db: Db, projectId: number, ids: number[]): Promise<Epic[]> {
  return epicsOf(db, projectId).where("e.id", "in", ids).$castTo<Epic>().execute();
}

function epicsOf(db: Db, projectId: number) {
  const count = (kind: string) => sql`count(*) filter (where l.kind = ${sql.lit(kind)})`;
  return db
    .selectFrom("epics as e")
    .select(["e.id", "e.project_id", "e.title", "e.description", "e.state", "e.starts_on", "e.ends_on"])
    .select(["e.owner_id", "e.created_by", "e.created_at", "e.updated_at"])
    .select(
      sql<Epic["issue_counts"]>`(
        select json_build_object('backlog', ${count("backlog")}, 'todo', ${count("todo")},
          'doing', ${count("doing")}, 'done', ${count("done")})
        from issues i join lanes l on l.id = i.lane_id where i.epic_id = e.id)`.as("issue_counts"),
    )
    .select(attachmentsField(sql`a.epic_id = e.id and a.comment_id is null`).as("attachments"))
    .where("e.project_id", "=", projectId);
}

/** 422 on `ends_on` if it is before `starts_on`, and on `owner_id` if that user cannot access the project. */
export async function createEpic(
  db: Db,
  project: ProjectRef,
  actorId: number,
  body: z.output<typeof epicBody>,
): Promise<Epic> {
  const { title, description = null, state = "open", starts_on = null, ends_on = null, owner_id } = body;
  requireOrder({ starts_on, ends_on });
  return db.transaction().execute(async (tx) => {
    if (owner_id !== undefined) await requireOwner(tx, project, owner_id);
    const { id } = await tx
      .insertInto("epics")
      .values({
        project_id: project.id,
        created_by: actorId,
        owner_id: owner_id ?? null,
        title,
        description,
        state,
        starts_on,
        ends_on,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    noteChange(tx, { type: "epic.created", kind: "epic", id });
    return readEpic(tx, project.id, id);
  });
}

/**
 * Changes the given fields. 404 if the project has no such epic; 422 on `ends_on` if it would be before `starts_on`, and on a
 * new `owner_id` if that user cannot access the project.
 */
export async function updateEpic(
  db: Db,
  project: ProjectRef,
  epicId: number,
  body: z.output<typeof epicChanges>,
): Promise<Epic> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const before = await readEpic(tx, project.id, epicId);
    const changes = sentColumns({
      title: body.title,
      description: body.description,
      state: body.state,
      starts_on: body.starts_on,
      ends_on: body.ends_on,
      owner_id: body.owner_id,
    });
    if (!changes) return before;
    requireOrder({ ...before, ...changes } as Epic);
    // An owner who has lost access may stay.
    if (changes.owner_id && changes.owner_id !== before.owner_id)
      await requireOwner(tx, project, changes.owner_id);
    await tx
      .updateTable("epics")
      .set({ ...changes, updated_at: sql`clock_timestamp()` })
      .where("id", "=", epicId)
      .execute();
    const changed = changesBetween(before, changes);
    if (changed) noteChange(tx, { type: "epic.updated", kind: "epic", id: epicId, changes: changed });
    return readEpic(tx, project.id, epicId);
  });
}

async function requireOwner(tx: Tx, project: ProjectRef, userId: number): Promise<void> {
  const { rows } = await sql`
    select from (${usersWhere(project)}) one where user_id = ${userId}`.execute(tx);
  if (rows.length === 0) throw invalid({ owner_id: ["cannot access the project"] });
}

/** Deletes an epic and removes its issues from it. 404 if the project has no such epic. */
export async function deleteEpic(db: Db, projectId: number, epicId: number, actorId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { title: name } = await readEpic(tx, projectId, epicId);
    await noteDeletion(tx, { kind: "epic", id: epicId, projectId });
    await detachIssues(tx, { project_id: projectId, column: "epic_id", id: epicId }, actorId);
    await tx.deleteFrom("epics").where("id", "=", epicId).execute();
    await recordAudit(tx, {
      kind: "epic.deleted",
      project_id: projectId,
      subject: { type: "epic", id: epicId, name },
    });
  });
}
