import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { estimateText } from "../marks/estimate.ts";

/** What work is counted in: issues, or minutes of their estimates. */
export type Measure = "issues" | "minutes";

export const asMeasure = (value: unknown): Measure | undefined =>
  value === "issues" || value === "minutes" ? value : undefined;

/** An issue without an estimate counts as 0 minutes. */
const sizeOf = ({ estimated_minutes }: Pick<Issue, "estimated_minutes">, measure: Measure): number =>
  measure === "issues" ? 1 : (estimated_minutes ?? 0);

export const sizeOfAll = (issues: readonly Pick<Issue, "estimated_minutes">[], measure: Measure): number =>
  issues.reduce((sum, issue) => sum + sizeOf(issue, measure), 0);

export const capacityOf = (sprint: Sprint, measure: Measure): number | null =>
  measure === "issues" ? sprint.capacity_issues : sprint.capacity_minutes;

/** "12 issues", "1 issue", "2h 30m". */
export const sizeText = (size: number, measure: Measure): string =>
  measure === "minutes" ? estimateText(Math.round(size)) : `${size} ${size === 1 ? "issue" : "issues"}`;
