import { sql } from "kysely";
import type { z } from "zod";
import type { Sprint, sprintBody, sprintChanges } from "../../../shared/sprints.ts";
import { detachIssues } from "../../record/issue-history.ts";
import { changesBetween, noteChange, noteDeletion } from "../../record/changed-objects.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { requireOrder } from "../../answers/day-order.ts";
import { notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import { lockProject } from "../../people/projects/lock-project.ts";

const SHOWN = [
  "id",
  "project_id",
  "name",
  "goal",
  "starts_on",
  "ends_on",
  "capacity_issues",
  "capacity_minutes",
  "state",
  "created_at",
  "updated_at",
] as const;

/** Sorted by id. */
export function listSprints(db: Db, projectId: number, query: PageQuery): Promise<Page<Sprint>> {
  const rows = db.selectFrom("sprints").select(SHOWN).where("project_id", "=", projectId).$castTo<Sprint>();
  return readPage(rows, query, "id");
}

/** 404 if the project has no such sprint. */
export async function readSprint(db: Db, projectId: number, sprintId: number): Promise<Sprint> {
  const row = await db
    .selectFrom("sprints")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("id", "=", sprintId)
    .executeTakeFirst();
  if (!row) throw notFound("There is no such sprint.");
  return row as Sprint;
}

/** The project's sprints with these ids. Unknown ids are left out. */
export async function readSprints(db: Db, projectId: number, ids: number[]): Promise<Sprint[]> {
  return db
    .selectFrom("sprints")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("id", "in", ids)
    .$castTo<Sprint>()
    .execute();
}

/** 422 on `ends_on` if it is before `starts_on`. */
export async function createSprint(
  db: Db,
  projectId: number,
  body: z.output<typeof sprintBody>,
): Promise<Sprint> {
  const { name, goal = null, starts_on = null, ends_on = null, state = "planned" } = body;
  const { capacity_issues = null, capacity_minutes = null } = body;
  requireOrder({ starts_on, ends_on });
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto("sprints")
      .values({
        project_id: projectId,
        name,
        goal,
        starts_on,
        ends_on,
        state,
        capacity_issues,
        capacity_minutes,
      })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    noteChange(tx, { type: "sprint.created", kind: "sprint", id: row.id });
    return row as Sprint;
  });
}

/** Changes the given fields. 404 if the project has no such sprint, 422 on `ends_on` if it would be before `starts_on`. */
export async function updateSprint(
  db: Db,
  projectId: number,
  sprintId: number,
  body: z.output<typeof sprintChanges>,
): Promise<Sprint> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readSprint(tx, projectId, sprintId);
    const changes = sentColumns({
      name: body.name,
      goal: body.goal,
      starts_on: body.starts_on,
      ends_on: body.ends_on,
      state: body.state,
      capacity_issues: body.capacity_issues,
      capacity_minutes: body.capacity_minutes,
    });
    if (!changes) return before;
    requireOrder({ ...before, ...changes } as Sprint);
    await tx
      .updateTable("sprints")
      .set({ ...changes, updated_at: sql`clock_timestamp()` })
      .where("id", "=", sprintId)
      .execute();
    const changed = changesBetween(before, changes);
    if (changed) noteChange(tx, { type: "sprint.updated", kind: "sprint", id: sprintId, changes: changed });
    return readSprint(tx, projectId, sprintId);
  });
}

/** Deletes a sprint and removes its issues from it. 404 if the project has no such sprint. */
export async function deleteSprint(
  db: Db,
  projectId: number,
  sprintId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { name } = await readSprint(tx, projectId, sprintId);
    await noteDeletion(tx, { kind: "sprint", id: sprintId, projectId });
    await detachIssues(tx, { project_id: projectId, column: "sprint_id", id: sprintId }, actorId);
    await tx.deleteFrom("sprints").where("id", "=", sprintId).execute();
    await recordAudit(tx, {
      kind: "sprint.deleted",
      project_id: projectId,
      subject: { type: "sprint", id: sprintId, name },
    });
  });
}
