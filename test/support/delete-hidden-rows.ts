import { deleteHiddenRows as runJob } from "../../src/server/people/deletions/delete-batches.ts";
import type { Db } from "../../src/server/db/connect.ts";
import type { TestApp } from "./test-app.ts";

/** Runs the background job that deletes the rows of deleted projects and workspaces, as if a day had passed. */
export async function deleteHiddenRows({ db, database }: Pick<TestApp, "db" | "database">): Promise<void> {
  await endRestorePeriods(db);
  await runJob(database.pool, new AbortController().signal);
}

/** From now on, nothing that is deleted can be restored. */
export async function endRestorePeriods(db: Db): Promise<void> {
  await db.updateTable("deletions").set({ restorable_until: null }).execute();
}
