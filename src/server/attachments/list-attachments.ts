import { sql, type RawBuilder } from "kysely";
import type { Attachment } from "../../shared/attachments.ts";
import type { Db } from "../db/connect.ts";
import { ATTACHMENT_COLUMNS, type AttachmentOwner } from "./insert-attachments.ts";

/** Oldest first. The attachments of an issue, epic, error group or report do not include those of its comments. */
export function listAttachments(db: Db, owner: AttachmentOwner): Promise<Attachment[]> {
  return db
    .selectFrom("attachments")
    .select(ATTACHMENT_COLUMNS)
    .where((where) => where.and(owner))
    .where("comment_id", "is not distinct from", owner.comment_id ?? null)
    .orderBy("id")
    .execute();
}

/** The field `attachments` of each row of a list: those that match the condition on `attachments a`, oldest first. */
export function attachmentsField(condition: RawBuilder<unknown>): RawBuilder<Attachment[]> {
  return sql<Attachment[]>`(
    select coalesce(json_agg(json_build_object('id', a.id, 'filename', a.filename, 'mime_type', a.mime_type,
      'size', a.size, 'user_id', a.user_id,
      'created_at', to_char(a.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by a.id), '[]')
    from attachments a where ${condition})`;
}
