import { sql, type RawBuilder } from "kysely";
import { MAX_DESCRIPTION } from "../../shared/issues.ts";
import { exceedsCodePoints } from "../../shared/text.ts";
import { invalid } from "../answers/errors.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../db/delete-in-batches.ts";
import type { Db, Tx } from "../db/connect.ts";

/** A file that does not become part of an issue is deleted after this many days. */
const KEPT_DAYS = 30;

/** The condition on `attachments a` that it was added to the description of an issue that is not created yet. */
const isDraftFile: RawBuilder<boolean> = sql`num_nonnulls(a.report_id, a.issue_id, a.epic_id, a.error_group_id) = 0`;

/** The condition on `attachments a` that the person has added it to a draft in the project. */
export const isDraftFileOf = (userId: number, projectId: number): RawBuilder<boolean> =>
  sql`(${isDraftFile} and a.project_id = ${projectId} and a.user_id = ${userId})`;

/**
 * Moves the files that the author added while writing the description to the new issue, and replaces their addresses in the
 * text. Addresses of other files do not change. 422 on `description` if the new addresses make it too long.
 */
export async function takeDraftFiles(
  tx: Tx,
  project: { id: number; key: string },
  { issueId, authorId, description }: { issueId: number; authorId: number; description: string },
): Promise<void> {
  const ids = new Set(Array.from(description.matchAll(addresses(project)), ([, id]) => Number(id)));
  if (ids.size === 0) return;
  const { rows } = await sql<{ id: number }>`
    update attachments a set issue_id = ${issueId}
    where ${isDraftFileOf(authorId, project.id)} and a.id = any(${[...ids]}::bigint[])
    returning a.id`.execute(tx);
  const taken = new Set(rows.map(({ id }) => id));
  if (taken.size === 0) return;
  const changed = description.replaceAll(addresses(project), (address: string, id: string) =>
    taken.has(Number(id))
      ? `/api/projects/${project.id}/issues/${issueId}/attachments/${id}/download`
      : address,
  );
  if (exceedsCodePoints(changed, MAX_DESCRIPTION))
    throw invalid({
      description: [
        `must be at most ${MAX_DESCRIPTION} characters with the addresses of its files in the issue`,
      ],
    });
  await tx.updateTable("issues").set({ description: changed }).where("id", "=", issueId).execute();
}

const addresses = ({ id, key }: { id: number; key: string }) =>
  new RegExp(String.raw`/api/projects/(?:${id}|${key})/attachments/([1-9]\d{0,14})/download`, "g");

/** Deletes old files that did not become part of an issue and returns how many. */
export function deleteOldDraftFiles(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from attachments where id in (
            select a.id from attachments a
            where ${isDraftFile} and a.created_at < now() - make_interval(days => ${KEPT_DAYS})
            limit ${BATCH_ROWS} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
