import type { IssueTemplate } from "./issue-templates.ts";

/**
 * What a template puts before the title of the report or error that becomes an issue. A title that is not a prefix, such as "New
 * country", would not make sense there.
 */
export function titlePrefix(template: Pick<IssueTemplate, "title"> | undefined): string {
  const title = template?.title?.trim() ?? "";
  return /[\p{P}\p{S}]$/u.test(title) ? `${title} ` : "";
}

/** What a template puts after the text of the report or error that becomes an issue. */
export const descriptionSuffix = (template: Pick<IssueTemplate, "description"> | undefined): string =>
  template?.description ? `\n\n${template.description}` : "";
