import { z } from "zod";
import { IMPORT_KINDS } from "./import-kinds.ts";

/** Where an imported issue, report or error group came from. People who have an account here are not named. */
export const importedFromAnswer = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  id: z.string(),
  url: z.string().nullable(),
  author_name: z.string().nullable(),
  assignee_name: z.string().nullable(),
});

export type ImportedFrom = z.infer<typeof importedFromAnswer>;

/** Example for the API reference. */
export const importedFromExample: ImportedFrom = {
  kind: "github",
  id: "2417730712",
  url: "https://github.com/shop/web/issues/12",
  author_name: "octocat",
  assignee_name: null,
};
