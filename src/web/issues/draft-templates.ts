import type { IssueTemplate } from "../../shared/issue-templates.ts";
import { type Draft, EMPTY_DRAFT } from "./new-issue-draft.ts";

type Field = "title" | "description" | "type" | "priority" | "laneId" | "labelIds";
type Filled = Pick<Draft, Field>;

const FIELDS = Object.keys(fieldsOf(undefined)) as Field[];

/** What a template fills; the defaults without one. */
export function fieldsOf(template: IssueTemplate | undefined): Filled {
  const { title, description, type, priority, laneId, labelIds } = EMPTY_DRAFT;
  if (template === undefined) return { title, description, type, priority, laneId, labelIds };
  return {
    title: template.title ?? "",
    description: template.description ?? "",
    type: template.type,
    priority: template.priority,
    laneId: template.lane_id,
    labelIds: template.label_ids,
  };
}

/** Fills the fields that still have the values of the template before, so that what the user entered is kept. */
export function withTemplate(
  draft: Draft,
  before: IssueTemplate | undefined,
  template: IssueTemplate | undefined,
): Draft {
  const [old, next] = [fieldsOf(before), fieldsOf(template)];
  const filled = FIELDS.filter((field) => isSame(draft[field], old[field]));
  return {
    ...draft,
    ...Object.fromEntries(filled.map((field) => [field, next[field]])),
    templateId: template?.id ?? null,
  };
}

/** The texts that the user wrote although the template has others. */
export function otherTexts(draft: Draft, template: IssueTemplate): Partial<Draft> {
  const { title, description } = fieldsOf(template);
  const isOther = (text: string, wrote: string) => text !== "" && wrote.trim() !== "" && text !== wrote;
  return {
    ...(isOther(title, draft.title) && { title }),
    ...(isOther(description, draft.description) && { description }),
  };
}

/** Whether the draft has a text that is not the template's. */
export function isWritten({ title, description }: Draft, template: IssueTemplate | undefined): boolean {
  const given = fieldsOf(template);
  const differs = (text: string, from: string) => text.trim() !== "" && text !== from;
  return differs(title, given.title) || differs(description, given.description);
}

const isSame = (a: Draft[Field], b: Draft[Field]) =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((id) => b.includes(id))
    : Object.is(a, b);
