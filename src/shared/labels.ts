import { z } from "zod";
import { moment } from "./answers.ts";
import { id, mustBe, optional, uniqueLine } from "./text.ts";
import { AT } from "./example-values.ts";

const name = uniqueLine(100);
const color = z
  .string(mustBe("a string"))
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a color such as #1f6feb")
  .transform((value) => value.toLowerCase());

export const labelBody = z.object({ name, color });

export const labelChanges = z.object({ name: optional(name), color: optional(color) });

export const labelAnswer = z.strictObject({
  id,
  project_id: id,
  name: z.string(),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  created_at: moment,
});

export type Label = z.infer<typeof labelAnswer>;

/** Examples for the API reference. */
export const labelExamples = {
  Label: {
    schema: labelAnswer,
    example: { id: 14, project_id: 5, name: "checkout", color: "#1f6feb", created_at: AT },
  },
  LabelBody: { schema: labelBody, example: { name: "checkout", color: "#1f6feb" } },
  LabelChanges: { schema: labelChanges, example: { color: "#8250df" } },
};
