import { z } from "zod";
import { moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { BUG, HIGH, issueBody, issueChanges } from "./issues.ts";
import { boolean, clearable, id, line, optional, text, uniqueLine } from "./text.ts";

export const MAX_ISSUE_TEMPLATES = 50;
/** Shorter than an issue's description, because all templates are read together. */
const MAX_TEMPLATE_TEXT = 10_000;

const name = uniqueLine(60);
const title = line(255);
const description = text(MAX_TEMPLATE_TEXT);
const { type, priority, lane_id, label_ids } = issueBody.shape;

/** The initial values of a new issue. Without a lane, the issue is added to the first one. */
export const issueTemplateBody = z.object({
  name,
  title: optional(title),
  description: optional(description),
  type,
  priority,
  lane_id,
  label_ids,
  is_default: optional(boolean),
});

export const issueTemplateChanges = z.object({
  name: optional(name),
  title: clearable(title),
  description: clearable(description),
  type,
  priority,
  lane_id: clearable(id),
  label_ids: issueChanges.shape.label_ids,
  is_default: optional(boolean),
});

export const issueTemplateAnswer = z.strictObject({
  id,
  project_id: id,
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  type: z.literal([0, 1]),
  priority: z.int().min(0).max(4),
  lane_id: id.nullable(),
  label_ids: z.array(id),
  /** The web app's dialog for a new issue starts with this template. At most one of a project is the default. */
  is_default: z.boolean(),
  created_at: moment,
});

export type IssueTemplate = z.infer<typeof issueTemplateAnswer>;

const body = {
  name: "Bug report",
  title: "Bug: ",
  description: "## Steps to reproduce\n\n1. \n\n## Expected\n\n## Actual\n",
  type: BUG as 1,
  priority: HIGH,
  label_ids: [14],
};

/** Examples for the API reference. */
export const issueTemplateExamples = {
  IssueTemplate: {
    schema: issueTemplateAnswer,
    example: { id: 3, project_id: 5, ...body, lane_id: null, is_default: true, created_at: AT },
  },
  IssueTemplateBody: { schema: issueTemplateBody, example: body },
  IssueTemplateChanges: { schema: issueTemplateChanges, example: { title: null, is_default: true } },
};
