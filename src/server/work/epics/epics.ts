import { sql } from "kysely";
import type { z } from "zod";
import type { Epic, epicBody, epicChanges } from "../../../shared/epics.ts";
import { detachIssues } from "../../record/issue-history.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { requireOrder } from "../../answers/day-order.ts";
import { notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import { lockProject } from "../../people/projects/lock-project.ts";

/** Sorted by id. */
export function listEpics(db: Db, projectId: number, query: PageQuery): Promise<Page<Epic>> {
  const rows = epicsOf(db, projectId).$castTo<Epic>();
  return readPage(rows, query, "e.id");
}

/** 404 if the project has no such epic. */
export async function readEpic(db: Db, projectId: number, epicId: number): Promise<Epic> {
  const row = await epicsOf(db, projectId).where("e.id", "=", epicId).executeTakeFirst();
  if (!row) throw notFound("There is no such epic.");
  return row as Epic;
}

function epicsOf(db: Db, projectId: number) {
  const count = (kind: string) => sql`count(*) filter (where l.kind = ${sql.lit(kind)})`;
  return db
    .selectFrom("epics as e")
    .select(["e.id", "e.project_id", "e.title", "e.description", "e.state", "e.starts_on", "e.ends_on"])
    .select(["e.created_by", "e.created_at", "e.updated_at"])
    .select(
      sql<Epic["issue_counts"]>`(
        select json_build_object('backlog', ${count("backlog")}, 'todo', ${count("todo")},
          'doing', ${count("doing")}, 'done', ${count("done")})
        from issues i join lanes l on l.id = i.lane_id where i.epic_id = e.id)`.as("issue_counts"),
    )
    .where("e.project_id", "=", projectId);
}

/** 422 on `ends_on` if it is before `starts_on`. */
export async function createEpic(
  db: Db,
  projectId: number,
  actorId: number,
  body: z.output<typeof epicBody>,
): Promise<Epic> {
  const { title, description = null, state = "open", starts_on = null, ends_on = null } = body;
  requireOrder({ starts_on, ends_on });
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto("epics")
      .values({
        project_id: projectId,
        created_by: actorId,
        title,
        description,
        state,
        starts_on,
        ends_on,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return readEpic(tx, projectId, id);
  });
}

/** Changes the given fields. 404 as above; 422 on `ends_on` if it is before `starts_on` after the change. */
export async function updateEpic(
  db: Db,
  projectId: number,
  epicId: number,
  body: z.output<typeof epicChanges>,
): Promise<Epic> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readEpic(tx, projectId, epicId);
    const changes = sentColumns({
      title: body.title,
      description: body.description,
      state: body.state,
      starts_on: body.starts_on,
      ends_on: body.ends_on,
    });
    if (!changes) return before;
    requireOrder({ ...before, ...changes } as Epic);
    await tx
      .updateTable("epics")
      .set({ ...changes, updated_at: sql`clock_timestamp()` })
      .where("id", "=", epicId)
      .execute();
    return readEpic(tx, projectId, epicId);
  });
}

/** Deletes an epic and removes its issues from it. 404 as above. */
export async function deleteEpic(db: Db, projectId: number, epicId: number, actorId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { title: name } = await readEpic(tx, projectId, epicId);
    await detachIssues(tx, { project_id: projectId, column: "epic_id", id: epicId }, actorId);
    await tx.deleteFrom("epics").where("id", "=", epicId).execute();
    await recordAudit(tx, {
      kind: "epic.deleted",
      project_id: projectId,
      subject: { type: "epic", id: epicId, name },
    });
  });
}
