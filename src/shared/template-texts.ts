import type { IssueTemplate } from "./issue-templates.ts";

/**
 * The prefix that a template adds to the title of a report or error that becomes an issue. Empty for a title that is not a prefix,
 * such as "New country".
 */
export function titlePrefix(template: Pick<IssueTemplate, "title"> | undefined): string {
  const title = template?.title?.trim() ?? "";
  return /[\p{P}\p{S}]$/u.test(title) ? `${title} ` : "";
}

/** The text that a template adds after that of a report or error that becomes an issue. */
export const descriptionSuffix = (template: Pick<IssueTemplate, "description"> | undefined): string =>
  template?.description ? `\n\n${template.description}` : "";
