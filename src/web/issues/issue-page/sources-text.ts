import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Issue } from "../../../shared/issues.ts";

type Linked = Pick<ErrorGroup, "linked_at">;

/**
 * ", from a report and an error, linked to 2 errors": what the issue was created from, and the errors that were linked to it
 * later. Empty if there are none.
 */
export function sourcesText(
  { report_ids, created_at }: Pick<Issue, "report_ids" | "created_at">,
  groups: readonly Linked[],
): string {
  // Before this time was recorded, errors could not be linked later.
  const isSource = ({ linked_at }: Linked) =>
    linked_at === null || Date.parse(linked_at) <= Date.parse(created_at);
  const sources = groups.filter(isSource).length;
  const linked = groups.length - sources;
  const from = [
    ...(report_ids.length > 0 ? [report_ids.length === 1 ? "a report" : `${report_ids.length} reports`] : []),
    ...(sources > 0 ? [errors(sources)] : []),
  ];
  return [
    ...(from.length > 0 ? [`, from ${from.join(" and ")}`] : []),
    ...(linked > 0 ? [`, linked to ${errors(linked)}`] : []),
  ].join("");
}

const errors = (count: number) => (count === 1 ? "an error" : `${count} errors`);
