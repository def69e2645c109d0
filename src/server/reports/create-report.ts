import { sql } from "kysely";
import type { ReportKind, ReportOrigin } from "../../shared/feedback.ts";
import { API, MANUAL, type Report } from "../../shared/reports.ts";
import type { StoredUpload } from "../files/store-uploads.ts";
import { insertAttachments } from "../attachments/insert-attachments.ts";
import type { Caller } from "../access/caller.ts";
import type { Db, Tx } from "../db/connect.ts";
import { notifyReportCreated } from "../inform/notify/report-notifications.ts";
import { outsideOf } from "../idempotency/transaction-db.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { recordReportHistory } from "../record/report-history.ts";
import { expectEvent } from "./awaited-events.ts";
import { findErrorGroup, type ErrorOfReport } from "./find-error-group.ts";
import { keepEvent } from "./keep-event.ts";
import { endOfQueue, lockQueue } from "./queue.ts";
import { readReport } from "./read-report.ts";
import { subscribe } from "./subscriptions/subscribe.ts";

export type NewReport = ErrorOfReport & {
  title: string;
  description: string;
  author_name?: string | null | undefined;
  author_email?: string | undefined;
  author_email_confirmed?: boolean;
  kind?: ReportKind | undefined;
  origin?: ReportOrigin | null;
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

/** `quota` limits the bytes of the project's attachments. */
type Creation = {
  creator: Creator;
  body: NewReport;
  files?: StoredUpload[];
  quota?: number | undefined;
  /** Runs first in the transaction. */
  before?: (tx: Tx) => Promise<void>;
};

/** Creates a report with its files at the end of the queue. */
export async function createReport(
  db: Db,
  projectId: number,
  { creator, body, files = [], quota, before }: Creation,
): Promise<Report> {
  if (body.error_event_id !== undefined) expectEvent(outsideOf(db), projectId, body.error_event_id);
  return db.transaction().execute(async (tx) => {
    await before?.(tx);
    await lockProject(tx, projectId);
    await lockQueue(tx, projectId);
    const existingId = await findSame(tx, projectId, body.feedback_key);
    if (existingId !== undefined) return readReport(tx, projectId, existingId);
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
        author_email_confirmed: body.author_email_confirmed ?? false,
        kind: body.kind ?? null,
        origin: body.origin ? JSON.stringify(body.origin) : null,
        error_event_id: body.error_event_id ?? null,
        error_group_id: groupId,
        feedback_key: body.feedback_key ?? null,
        created_by: creator.created_by,
        rank: await endOfQueue(tx, projectId),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const uploaded = { userId: creator.userId, quota, field: "files" };
    await insertAttachments(
      tx,
      { project_id: projectId, report_id: id, sent_with_report: true },
      files,
      uploaded,
    );
    await recordReportHistory(tx, projectId, creator.created_by, [{ report_id: id, kind: "created" }]);
    await notifyReportCreated(tx, id);
    if (body.author_email)
      await subscribe(tx, id, body.author_email, { isConfirmed: body.author_email_confirmed });
    await queueForRules(tx, projectId, id);
    // Last, because the group's events wait for this lock.
    if (groupId !== null && body.error_event_id !== undefined)
      await keepEvent(tx, groupId, body.error_event_id);
    return readReport(tx, projectId, id);
  });
}

/** A job runs the project's rules about new reports after the commit. */
async function queueForRules(tx: Tx, projectId: number, reportId: number): Promise<void> {
  await sql`
    insert into new_reports (report_id, project_id) select ${reportId}, ${projectId} where exists (
      select from alert_rules where project_id = ${projectId} and kind = 'report_created' and active)`.execute(
    tx,
  );
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
