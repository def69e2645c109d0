import { z } from "zod";
import { REPORT_FILES, reportBody } from "../../../shared/reports.ts";

/** Multipart bodies as the reference shows them; they are read file by file, not by these. */

const files = Array.from({ length: REPORT_FILES.most }, (_, place) => [
  `files[${place}]`,
  z.file().optional(),
]);

export const reportForm = z.object({
  ...reportBody.shape,
  ...(Object.fromEntries(files) as Record<string, z.ZodOptional<z.ZodFile>>),
});

export const fileForm = z.object({ file: z.file() });
