import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";
import type { ImportedComment } from "./item.ts";
import { idText, type RowOf } from "./plan-batch.ts";
import type { ImportTarget } from "./import-target.ts";

type Commented = { objectId: number; target: RowOf; comments: ImportedComment[] };

/** Adds comments in the given order, without notifying anybody, and remembers that they were imported. */
export async function writeComments(
  tx: Tx,
  { project, people, fallbackAuthorId }: ImportTarget,
  objects: Commented[],
): Promise<void> {
  const rows = objects.flatMap(({ objectId, target, comments }) =>
    comments.map(({ ref, author, content, created_at }) => {
      return {
        ...target,
        object_id: objectId,
        source_id: idText(ref.id),
        user_id: people.userOf(author) ?? fallbackAuthorId,
        content,
        created_at,
      };
    }),
  );
  if (rows.length === 0) return;
  await sql`
    with sent as materialized (
      select * from json_to_recordset(${JSON.stringify(rows.map((row, place) => ({ ...row, place })))}) as r (
        place integer, object_id bigint, source_id text, issue_id bigint, report_id bigint, error_group_id bigint,
        user_id bigint, content text, created_at timestamptz)
    ),
    remembered as (
      insert into imported_comments (object_id, source_id) select object_id, source_id from sent on conflict do nothing
    )
    insert into comments (project_id, issue_id, report_id, error_group_id, user_id, content, created_at)
    select ${project.id}, issue_id, report_id, error_group_id, user_id, content, coalesce(created_at, clock_timestamp())
    from sent order by place`.execute(tx);
}
