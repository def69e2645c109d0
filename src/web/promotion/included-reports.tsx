import { CircleAlert, X } from "lucide-react";
import type { Report } from "../../shared/reports.ts";
import { IconButton } from "../kit/icon-button.tsx";

type Props = {
  reports: readonly Report[];
  onRemove: (id: number) => void;
  /** The server's error for the report at this index. */
  errorOf: (index: number) => string | undefined;
  error: string | undefined;
  min: number;
};

/** The reports to promote. Any can be removed, but at least `min` stay. */
export function IncludedReports({ reports, onRemove, errorOf, error, min }: Props) {
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="included-reports">
      <h3 id="included-reports" className="mb-1 font-medium">
        {reports.length === 1 ? "Report" : `${reports.length} reports`}
      </h3>
      <ul className="rounded-md border border-line">
        {reports.map((report, index) => (
          <li key={report.id} className="border-b border-line last:border-b-0">
            <div className="flex min-h-8 items-center gap-2 ps-3 pe-1">
              <span className="shrink-0 text-sm text-text-3">#{report.id}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate" title={report.title}>
                {report.title}
              </span>
              {reports.length > min && (
                <IconButton
                  size="sm"
                  label={`Remove #${report.id}`}
                  icon={X}
                  onClick={({ currentTarget }) => {
                    // The button disappears, and the dialog's keys need the focus in it.
                    currentTarget.closest<HTMLElement>("[role=dialog]")?.focus();
                    onRemove(report.id);
                  }}
                />
              )}
            </div>
            <ErrorText>{errorOf(index)}</ErrorText>
          </li>
        ))}
      </ul>
      <ErrorText>{error}</ErrorText>
    </section>
  );
}

function ErrorText({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p role="alert" className="flex items-start gap-1 px-3 pb-1 text-sm text-danger">
      <CircleAlert size={14} className="mt-px shrink-0" />
      {children}
    </p>
  );
}
