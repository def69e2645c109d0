import { z } from "zod";
import { reportText } from "../../../shared/example-values.ts";
import { REPORT_FILES, reportBody } from "../../../shared/reports.ts";

/** The multipart body of a new report, for the API reference. Files are streamed, not parsed by this schema. */

const files = Array.from({ length: REPORT_FILES.most }, (_, place) => [
  `files[${place}]`,
  z.file().optional(),
]);

export const reportForm = z.object({
  ...reportBody.shape,
  ...(Object.fromEntries(files) as Record<string, z.ZodOptional<z.ZodFile>>),
});

/** Examples for the API reference. */
export const reportFormExamples = {
  ReportForm: { schema: reportForm, example: reportText },
};
