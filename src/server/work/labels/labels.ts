import { sql } from "kysely";
import type { z } from "zod";
import type { Label, labelBody, labelChanges } from "../../../shared/labels.ts";
import { noteIssueChanges } from "../../record/issue-events.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";
import { lockProject } from "../../people/projects/lock-project.ts";

const SHOWN = ["id", "project_id", "name", "color", "created_at"] as const;

/** Sorted by id. */
export function listLabels(db: Db, projectId: number, query: PageQuery): Promise<Page<Label>> {
  const rows = db.selectFrom("labels").select(SHOWN).where("project_id", "=", projectId);
  return readPage(rows, query, "id");
}

/** 404 if the project has no such label. */
export async function readLabel(db: Db, projectId: number, labelId: number): Promise<Label> {
  const row = await db
    .selectFrom("labels")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("id", "=", labelId)
    .executeTakeFirst();
  if (!row) throw noSuchLabel();
  return row;
}

/** 422 on `name` if another label of the project has it, ignoring case. */
export async function createLabel(
  db: Db,
  projectId: number,
  body: z.output<typeof labelBody>,
): Promise<Label> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await requireFreeName(tx, { table: "labels", project_id: projectId }, body.name);
    return tx
      .insertInto("labels")
      .values({ project_id: projectId, name: body.name, color: body.color })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
  });
}

/** Changes the given fields. 404 if the project has no such label, 422 on `name` if another label has it, ignoring case. */
export async function updateLabel(
  db: Db,
  projectId: number,
  labelId: number,
  body: z.output<typeof labelChanges>,
): Promise<Label> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    if (body.name !== undefined)
      await requireFreeName(tx, { table: "labels", project_id: projectId }, body.name, labelId);
    const changes = sentColumns({ name: body.name, color: body.color });
    if (changes)
      await tx
        .updateTable("labels")
        .set(changes)
        .where("project_id", "=", projectId)
        .where("id", "=", labelId)
        .execute();
    return readLabel(tx, projectId, labelId);
  });
}

/** Deletes a label, removes it from its issues and records that in their history. 404 if the project has no such label. */
export async function deleteLabel(
  db: Db,
  projectId: number,
  labelId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { name } = await readLabel(tx, projectId, labelId);
    const { rows } = await sql<{ issue_id: number; from: number[]; to: number[] }>`
      with changed as (
        update issues i set updated_at = clock_timestamp()
        where exists (select from issue_labels l where l.issue_id = i.id and l.label_id = ${labelId})
        returning i.id
      )
      insert into issue_activity (issue_id, actor_id, kind, "from", "to")
      select c.id, ${actorId}, 'label_ids', jsonb_agg(l.label_id order by l.label_id),
        coalesce(jsonb_agg(l.label_id order by l.label_id) filter (where l.label_id <> ${labelId}), '[]')
      from changed c join issue_labels l on l.issue_id = c.id
      group by c.id order by c.id
      returning issue_id, "from", "to"`.execute(tx);
    noteIssueChanges(
      tx,
      rows.map((row) => ({ ...row, kind: "label_ids" })),
    );
    await tx.deleteFrom("labels").where("id", "=", labelId).execute();
    await recordAudit(tx, {
      kind: "label.deleted",
      project_id: projectId,
      subject: { type: "label", id: labelId, name },
    });
  });
}

const noSuchLabel = () => notFound("There is no such label.");
