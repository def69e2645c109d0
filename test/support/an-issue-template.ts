import type { IssueTemplate } from "../../src/shared/issue-templates.ts";

/** A template of bugs with all properties. */
export const anIssueTemplate = (overrides: Partial<IssueTemplate> = {}): IssueTemplate => ({
  id: 1,
  project_id: 5,
  name: "Bug",
  title: "Bug: ",
  description: "## Steps",
  type: 1,
  priority: 1,
  lane_id: 7,
  label_ids: [3],
  is_default: false,
  created_at: "2026-11-20T10:00:00Z",
  ...overrides,
});
