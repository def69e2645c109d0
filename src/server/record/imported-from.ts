import { sql, type RawBuilder } from "kysely";

/** Where the issue, report or error group with this id was imported from; null if it was created here. */
export const importedFromField = (
  column: "issue_id" | "report_id" | "error_group_id",
  id: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
    select json_build_object('kind', o.kind, 'id', o.source_id, 'url', o.url, 'author_name', o.author_name,
      'assignee_name', o.assignee_name)
    from imported_objects o where ${sql.ref(`o.${column}`)} = ${id} order by o.id limit 1) as imported_from`;
