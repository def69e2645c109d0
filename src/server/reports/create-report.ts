import { API, MANUAL, type Report } from "../../shared/reports.ts";
import type { StoredUpload } from "../files/store-uploads.ts";
import { insertAttachments } from "../attachments/insert-attachments.ts";
import type { Caller } from "../access/caller.ts";
import type { Db, Tx } from "../db/connect.ts";
import { notifyReportCreated } from "../inform/notify/report-notifications.ts";
import { outsideOf } from "../idempotency/transaction-db.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { recordReportHistory } from "../record/report-history.ts";
import { awaitEvent } from "./awaited-events.ts";
import { findErrorGroup, type ErrorOfReport } from "./find-error-group.ts";
import { keepEvent } from "./keep-event.ts";
import { endOfQueue, lockQueue } from "./queue.ts";
import { readReport } from "./read-report.ts";

export type NewReport = ErrorOfReport & {
  title: string;
  description: string;
  author_name?: string | null | undefined;
  author_email?: string | undefined;
  /** Feedback with a known key is not stored again. */
  feedback_key?: Buffer;
};

/** A report from another system has no creator. Files of people without an account have no user. */
type Creator = { source: typeof API | typeof MANUAL; created_by: number | null; userId: number | null };

/** For a report that was sent with an ingest key: the creator as the sender names it. */
export const OUTSIDE: Creator = { source: API, created_by: null, userId: null };

/** A report created with a project token counts as sent by another system. */
export const creatorOf = ({ kind, user_id }: Caller): Creator =>
  kind === "project"
    ? { source: API, created_by: null, userId: user_id }
    : { source: MANUAL, created_by: user_id, userId: user_id };

/** Creates a report with its files at the end of the queue. */
export async function createReport(
  db: Db,
  projectId: number,
  creator: Creator,
  body: NewReport,
  { files, quota }: { files: StoredUpload[]; quota: number | undefined } = { files: [], quota: undefined },
): Promise<Report> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await lockQueue(tx, projectId);
    const known = await findSame(tx, projectId, body.feedback_key);
    if (known !== undefined) return readReport(tx, projectId, known);
    if (body.error_event_id !== undefined) awaitEvent(outsideOf(db), projectId, body.error_event_id);
    const groupId = await findErrorGroup(tx, projectId, body);
    const { id } = await tx
      .insertInto("reports")
      .values({
        project_id: projectId,
        title: body.title,
        description: body.description,
        source: creator.source,
        author_name: body.author_name ?? null,
        author_email: body.author_email ?? null,
        error_event_id: body.error_event_id ?? null,
        error_group_id: groupId,
        feedback_key: body.feedback_key ?? null,
        created_by: creator.created_by,
        rank: await endOfQueue(tx, projectId),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const uploaded = { userId: creator.userId, quota, field: "files" };
    await insertAttachments(tx, { project_id: projectId, report_id: id }, files, uploaded);
    await recordReportHistory(tx, projectId, creator.created_by, [{ report_id: id, kind: "created" }]);
    await notifyReportCreated(tx, id);
    // Last, because the group's events wait for this lock.
    if (groupId !== null && body.error_event_id !== undefined)
      await keepEvent(tx, groupId, body.error_event_id);
    return readReport(tx, projectId, id);
  });
}

/** The report of the same feedback. The queue's lock prevents a concurrent second one. */
async function findSame(tx: Tx, projectId: number, key: Buffer | undefined): Promise<number | undefined> {
  if (key === undefined) return undefined;
  const row = await tx
    .selectFrom("reports")
    .select("id")
    .where("project_id", "=", projectId)
    .where("feedback_key", "=", key)
    .executeTakeFirst();
  return row?.id;
}
