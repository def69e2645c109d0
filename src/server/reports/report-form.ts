import { z } from "zod";
import { reportText } from "../../shared/example-values.ts";
import { REPORT_FILES, reportBody } from "../../shared/reports.ts";

export const reportFiles = Object.fromEntries(
  Array.from({ length: REPORT_FILES.most }, (_, index) => [`files[${index}]`, z.file().optional()]),
) as Record<string, z.ZodOptional<z.ZodFile>>;

/** Documents the multipart body of a new report in the API reference. The server streams files instead of parsing them with it. */
export const reportForm = z.object({ ...reportBody.shape, ...reportFiles });

/** Examples for the API reference. */
export const reportFormExamples = {
  ReportForm: { schema: reportForm, example: reportText },
};
