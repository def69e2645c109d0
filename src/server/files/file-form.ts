import { z } from "zod";

/** Documents a multipart body of one file in the API reference. The server streams files instead of parsing them with it. */
export const fileForm = z.object({ file: z.file() });

/** Examples for the API reference. */
export const fileFormExamples = {
  FileForm: { schema: fileForm, example: undefined },
};
