import type { Tx } from "../../db/connect.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { readReportStates } from "../status/report-state.ts";
import { mailNotPlanned } from "./mail-subscribers.ts";
import { readWithDuplicates } from "./recipients.ts";

/** Tells subscribers and webhooks what a dismissal means to the report and to its duplicates. */
export async function tellOfDismissal(tx: Tx, reportId: number): Promise<void> {
  const progress = (await readReportStates(tx, [reportId])).get(reportId);
  if (progress?.state === "not_planned") await mailNotPlanned(tx, reportId, progress.reason);
  if (progress?.state === "done")
    for (const id of await readWithDuplicates(tx, [reportId]))
      noteChange(tx, { type: "report.done", kind: "report", id });
}
