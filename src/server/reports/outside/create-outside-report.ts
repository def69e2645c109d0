import type { FeedbackAnswer } from "../../../shared/feedback.ts";
import { cutCodePoints } from "../../../shared/text.ts";
import type { Context } from "../../access/context.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { StoredUpload } from "../../files/store-uploads.ts";
import { createReport, OUTSIDE, type NewReport } from "../create-report.ts";
import { readStatusUrl } from "../status/report-token.ts";

/** Characters that remain of a description if the project's storage of the day is full. */
const SHORT = 2_048;

type Outside = {
  projectId: number;
  report: NewReport;
  files: StoredUpload[];
  /** Runs first in the transaction. */
  before?: (tx: Tx) => Promise<void>;
};

/**
 * Creates a report from outside. Keys are public, so it counts against what events may add to the project per day; beyond
 * that, its description is cut, and it should have no files.
 */
export async function createOutsideReport(
  context: Context,
  db: Db,
  { projectId, report, files, before }: Outside,
): Promise<FeedbackAnswer> {
  const isFull = context.usage.isStorageFull(projectId);
  const description = isFull ? cutCodePoints(report.description, SHORT) : report.description;
  const { id } = await createReport(db, projectId, {
    creator: OUTSIDE,
    body: { ...report, description },
    files,
    quota: context.config.projectStorage,
    ...(before && { before }),
  });
  const bytes = files.reduce((sum, { size }) => sum + size, Buffer.byteLength(description));
  context.usage.add(projectId, "stored_bytes", bytes);
  const status_url = await readStatusUrl(db, context.publicUrl(), id);
  if (status_url === null) throw new Error("a new report from outside has no status link");
  return { id, status_url };
}
