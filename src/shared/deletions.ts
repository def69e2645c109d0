import { z } from "zod";
import { moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { id } from "./text.ts";

export const deletionAnswer = z.strictObject({
  id,
  kind: z.enum(["project", "workspace"]),
  /** The id of the project or workspace. */
  target_id: id,
  name: z.string(),
  /** Null for a workspace. */
  project_key: z.string().nullable(),
  /** Null once that user is deleted. */
  requested_by: id.nullable(),
  /** Null until the rows are counted, which is the first thing the background job does. */
  rows_total: z.int().nullable(),
  rows_deleted: z.int(),
  created_at: moment,
  /** Until then it can be restored, and nothing is deleted. Null once its rows are being deleted. */
  restorable_until: moment.nullable(),
  /** Null while rows are being deleted. */
  finished_at: moment.nullable(),
});

/** The progress of deleting a project or workspace, which is hidden from the start. */
export type Deletion = z.infer<typeof deletionAnswer>;

/** Examples for the API reference. */
export const deletionExamples = {
  Deletion: {
    schema: deletionAnswer,
    example: {
      id: 3,
      kind: "project" as const,
      target_id: 5,
      name: "Web shop",
      project_key: "WEB",
      requested_by: 4,
      rows_total: 1_204_311,
      rows_deleted: 380_000,
      created_at: AT,
      restorable_until: null,
      finished_at: null,
    },
  },
};
