import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { invalid } from "../../answers/errors.ts";
import { announce } from "../../record/live-changes.ts";

/** Announces the parents whose `sub_issue_counts` have changed because a sub-issue has. */
export async function announceParents(
  tx: Tx,
  projectId: number,
  ids: (number | null | undefined)[],
): Promise<void> {
  const parents = new Set(ids.filter((id) => typeof id === "number"));
  await announce(
    tx,
    [...parents].map((id) => ({ kind: "issue", project_id: projectId, id })),
  );
}

const WOULD_BE = { parent_id: "a sub-issue of itself", duplicate_of_id: "a duplicate of itself" } as const;

/**
 * 422 on the field if following it from `toId` leads back to the issue. The caller holds the project's lock, so two
 * concurrent updates cannot create a cycle together.
 */
export async function requireNoLoop(
  tx: Tx,
  field: keyof typeof WOULD_BE,
  issueId: number,
  toId: number | null | undefined,
): Promise<void> {
  if (toId === null || toId === undefined) return;
  const column = sql.ref(field);
  const { rows } = await sql`
    with recursive above (id) as (
      select ${toId}::bigint
      union
      select i.${column} from issues i join above a on a.id = i.id where i.${column} is not null
    )
    select from above where id = ${issueId}`.execute(tx);
  if (rows.length > 0) throw invalid({ [field]: [`would make the issue ${WOULD_BE[field]}`] });
}
