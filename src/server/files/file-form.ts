import { z } from "zod";

/** A multipart body of one file, for the API reference. Files are streamed, not parsed by this schema. */
export const fileForm = z.object({ file: z.file() });

/** Examples for the API reference. */
export const fileFormExamples = {
  FileForm: { schema: fileForm, example: undefined },
};
