import { ApiError, messageOf } from "../api/client.ts";

/** Fields that show their own error. Other errors are shown above the form. */
const FIELDS = new Set([
  "title",
  "description",
  "type",
  "priority",
  "lane_id",
  "assignee_id",
  "label_ids",
  "sprint_id",
  "epic_id",
  "estimated_minutes",
  "due_on",
  "parent_id",
]);

export type NewIssueErrors = Record<string, string | undefined>;

/** The messages of a rejected issue by field; `form` is for those without one. */
export function errorsOf(error: unknown): NewIssueErrors {
  if (!(error instanceof ApiError) || Object.keys(error.errors).length === 0)
    return { form: messageOf(error) };
  const byField: NewIssueErrors = {};
  for (const name of Object.keys(error.errors)) {
    const field = name.replace(/\.\d+$/, "");
    if (FIELDS.has(field)) byField[field] = error.messageFor(name);
    else byField["form"] = messageOf(error);
  }
  return byField;
}
