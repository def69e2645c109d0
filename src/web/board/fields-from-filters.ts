import { type IssueView, valuesOf } from "../issues/issue-filters.ts";
import type { NewIssue } from "../data/issues/create-issue.ts";

/** Fields for a new issue, so that it matches the filters: the value of each filter that has exactly one. */
export function fieldsFromFilters(view: IssueView, me: number): Partial<NewIssue> {
  const only = (text: string | undefined): number | undefined => {
    const [value, ...others] = valuesOf(text);
    if (value === undefined || others.length > 0 || value === "none") return undefined;
    return value === "me" ? me : Number(value);
  };
  const fields: Partial<NewIssue> = {};
  const [type, priority, label] = [only(view.type), only(view.priority), only(view.label)];
  const [assignee, epic, sprint] = [only(view.assignee), only(view.epic), only(view.sprint)];
  if (type === 0 || type === 1) fields.type = type;
  if (priority !== undefined) fields.priority = priority;
  if (label !== undefined) fields.label_ids = [label];
  if (assignee !== undefined) fields.assignee_id = assignee;
  if (epic !== undefined) fields.epic_id = epic;
  if (sprint !== undefined) fields.sprint_id = sprint;
  return fields;
}
