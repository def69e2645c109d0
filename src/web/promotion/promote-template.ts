import type { IssueTemplate } from "../../shared/issue-templates.ts";
import { descriptionSuffix, titlePrefix } from "../../shared/template-texts.ts";
import { PROMOTE_START, type PromoteDraft } from "./promote-fields.ts";

type Texts = { title: string; description: string };

/**
 * What choosing a template changes. The report's texts are kept: a title such as "Bug: " is put before the report's, the
 * template's description after it. Of the properties, those are filled that still have the values of the template before.
 */
export function changesByTemplate(
  draft: PromoteDraft,
  shown: Texts,
  { before, next }: Record<"before" | "next", IssueTemplate | undefined>,
  start: PromoteDraft = PROMOTE_START,
): Partial<PromoteDraft> {
  const [old, filled] = [propertiesOf(before ?? start), propertiesOf(next ?? start)];
  const names = Object.keys(filled) as (keyof typeof filled)[];
  return {
    template_id: next?.id ?? null,
    title: titlePrefix(next) + without(shown.title, titlePrefix(before), ""),
    description: without(shown.description, "", descriptionSuffix(before)) + descriptionSuffix(next),
    ...Object.fromEntries(
      names.filter((name) => isSame(draft[name], old[name])).map((name) => [name, filled[name]]),
    ),
  };
}

function propertiesOf({ type, priority, lane_id, label_ids }: IssueTemplate | PromoteDraft) {
  return { type, priority, lane_id, label_ids };
}

const without = (text: string, start: string, end: string): string =>
  text.slice(
    text.startsWith(start) ? start.length : 0,
    text.endsWith(end) ? text.length - end.length : undefined,
  );

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
