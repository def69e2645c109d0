import { z } from "zod";
import { count, moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { id } from "./text.ts";

const MIB = 1_048_576;
export const MAX_ATTACHMENT_BYTES = 20 * MIB;
/** Larger images are shown in lists only if they have a smaller version, which older ones do not. */
export const MAX_THUMBNAIL_BYTES = 200_000;
export const MAX_FILE_NAME_LENGTH = 255;

/** A file of a report, an issue, an epic or a comment. */
export const attachmentAnswer = z.strictObject({
  id,
  filename: z.string(),
  mime_type: z.string(),
  size: count,
  /** Null if someone without an account sent the file with feedback. */
  user_id: id.nullable(),
  created_at: moment,
});

export type Attachment = z.infer<typeof attachmentAnswer>;

/** The size of a project's attachments in bytes. `quota` is the most that is allowed; null for any number. */
export const projectStorageAnswer = z.strictObject({ bytes: z.int(), quota: z.int().nullable() });

export type ProjectStorage = z.infer<typeof projectStorageAnswer>;

/** Examples for the API reference. */
export const attachmentExamples = {
  ProjectStorage: { schema: projectStorageAnswer, example: { bytes: 48_234_496, quota: 1_073_741_824 } },
  Attachment: {
    schema: attachmentAnswer,
    example: {
      id: 18,
      filename: "cart.webp",
      mime_type: "image/webp",
      size: 48_213,
      user_id: 3,
      created_at: AT,
    },
  },
};
