import { useQuery } from "@tanstack/react-query";
import type { AlertPreview, AlertRule } from "../../../shared/alert-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { type AlertConditions, alertPreviewQuery } from "../../data/integrations/alert-rules.ts";
import { countOf } from "../../kit/count-text.ts";
import { Time } from "../../kit/dates/time.tsx";
import { useSettled } from "../../kit/use-settled.ts";

type Rule = { when: AlertRule["when"]; if: AlertConditions };
type Props = { project: Project; rule: Rule };

/** Typing pauses for this long before the preview is read again, in milliseconds. */
const SETTLED_MS = 500;
const MAX_LINES = 5;

/** What the rule would have done in the last seven days. */
export function RulePreview({ project, rule }: Props) {
  const settled = useSettled(JSON.stringify(rule), SETTLED_MS);
  const { data, isError } = useQuery(alertPreviewQuery(project.id, JSON.parse(settled) as Rule));
  return (
    <section aria-label="Preview" className="flex flex-col gap-1 rounded-md bg-sunken p-3">
      <p role="status" className="font-medium">
        {isError
          ? "Complete the rule to see how often it would have fired."
          : data === undefined
            ? "Looking at the last 7 days…"
            : summaryOf(data)}
      </p>
      {!isError && data !== undefined && data.data.length > 0 && (
        <ul className="flex flex-col gap-0.5 text-sm text-text-2">
          {data.data.slice(0, MAX_LINES).map((firing, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two firings can have the same time and subject
            <li key={index} className="flex min-w-0 justify-between gap-3">
              <span className="min-w-0 truncate">{subjectOf(firing) ?? project.name}</span>
              <Time at={firing.at} className="shrink-0 text-text-3" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function summaryOf({ count, approximate }: AlertPreview): string {
  if (count === null) return "How often it would have fired is not known.";
  if (count === 0) return "It would not have fired in the last 7 days.";
  return `It would have fired ${approximate ? "about " : ""}${countOf(count, "time")} in the last 7 days.`;
}

function subjectOf({
  error_group: error,
  report,
  release,
}: AlertPreview["data"][number]): string | undefined {
  if (error) return `${error.exception_class}: ${error.message}`;
  return report?.title ?? release?.version;
}
