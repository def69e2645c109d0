import { sql } from "kysely";
import { invalid } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { removeIssue } from "./delete-issue.ts";

type Promotion = {
  /** When the promotion had stored everything about the issue. */
  since: string;
  /** The report that was promoted to it. */
  reportId?: number;
};

/**
 * Deletes an issue together with the promotion that created it. 422 on `delete_issue` if something has happened to it since. The
 * caller holds the project's lock.
 */
export async function removeUntouchedIssue(
  tx: Tx,
  projectId: number,
  { issueId, actorId, promotion }: { issueId: number; actorId: number; promotion: Promotion },
): Promise<void> {
  const touch = await findTouch(tx, issueId, promotion);
  if (touch !== undefined) throw invalid({ delete_issue: [`is not possible because the issue ${touch}`] });
  await removeIssue(tx, projectId, issueId, actorId);
}

/** What has happened to the issue, for a message; undefined if nothing has. */
async function findTouch(
  tx: Tx,
  issueId: number,
  { since, reportId = 0 }: Promotion,
): Promise<string | undefined> {
  // Errors that the promotion linked were linked when the issue was created.
  const { rows } = await sql<Record<string, boolean>>`
    select
      exists (select from comments where issue_id = i.id) as "has comments",
      exists (select from reports r where r.promoted_issue_id = i.id and r.id <> ${reportId})
        as "has further reports",
      exists (select from error_groups g where g.linked_issue_id = i.id
        and g.linked_at is distinct from i.created_at) as "has further errors",
      exists (select from issue_activity a where a.issue_id = i.id and a.created_at > ${since})
        or exists (select from attachments a where a.issue_id = i.id and a.created_at > ${since})
        as "has changed since",
      exists (select from issues other where i.id in (other.parent_id, other.duplicate_of_id))
        or exists (select from reports r where r.duplicate_of_issue_id = i.id)
        as "is referred to by others"
    from issues i where i.id = ${issueId}`.execute(tx);
  return Object.entries(rows[0] ?? {}).find(([, isTrue]) => isTrue)?.[0];
}
