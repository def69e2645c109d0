import { History } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { Time } from "../kit/dates/time.tsx";
import { reasonLabel } from "../data/reports/dismiss-reasons.ts";
import { OriginalLink } from "./original-link.tsx";

/** The dismissals of a report that was restored, the latest first. */
export function EarlierDismissals({ project, report }: { project: Project; report: Report }) {
  const people = usePeople(project.id);
  if (report.earlier_dismissals.length === 0) return null;
  return (
    <ul aria-label="Earlier dismissals" className="flex max-w-read flex-col gap-2 text-text-2">
      {report.earlier_dismissals.map((earlier) => (
        <li key={earlier.restored_at} className="flex items-start gap-2">
          <History size={16} aria-hidden className="mt-0.5 shrink-0 text-text-3" />
          <div className="min-w-0 flex-1">
            <p>
              {"Dismissed "}
              <Time at={earlier.dismissed_at} />
              {earlier.dismiss_reason !== null && `: ${reasonLabel(earlier.dismiss_reason).toLowerCase()}`}
              {earlier.duplicate_of !== null && (
                <>
                  {" of "}
                  <OriginalLink project={project} original={earlier.duplicate_of} />
                </>
              )}
              {", restored "}
              <Time at={earlier.restored_at} />
              {earlier.restored_by !== null && ` by ${nameOf(people.of(earlier.restored_by))}`}
            </p>
            {earlier.dismiss_reason_note !== null && (
              <p dir="auto" className="whitespace-pre-wrap text-text-3">
                {earlier.dismiss_reason_note}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
