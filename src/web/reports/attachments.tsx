import { useQuery } from "@tanstack/react-query";
import type { Attachment } from "../../shared/attachments.ts";
import type { Report } from "../../shared/reports.ts";
import { FileList } from "../attachments/file-list.tsx";
import { QueryError } from "../page/query-error.tsx";
import { useSettled } from "../kit/use-settled.ts";
import { attachmentsQuery, reportsPath } from "../data/reports/reports.ts";

/** The files of a report: images to view, others to download. */
export function Attachments({ report }: { report: Report }) {
  const { id, project_id, attachments_count } = report;
  // Stepping quickly through the queue loads only the files of the report where the user stops.
  const settled = useSettled(String(id)) === String(id);
  const query = useQuery({
    ...attachmentsQuery(project_id, id),
    enabled: attachments_count > 0 && settled,
  });
  if (attachments_count === 0 && (query.data ?? []).length === 0)
    return <p className="text-text-3">No files.</p>;
  if (query.isError && query.data === undefined)
    return <QueryError error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <FilesSkeleton count={attachments_count} />;
  const urlOf = (attachment: Attachment) =>
    `${reportsPath(project_id)}/${id}/attachments/${attachment.id}/download`;
  return <FileList files={query.data.map((attachment) => ({ ...attachment, url: urlOf(attachment) }))} />;
}

/** As large as the files will be. */
function FilesSkeleton({ count }: { count: number }) {
  return (
    <div role="status" className="grid grid-cols-[repeat(auto-fill,minmax(156px,1fr))] gap-2">
      <span className="sr-only">Loading the files</span>
      {Array.from({ length: Math.min(count, 8) }, (_, index) => (
        <span key={index} className="h-31 rounded-md border border-line bg-sunken" />
      ))}
    </div>
  );
}
