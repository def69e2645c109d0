import { useQuery } from "@tanstack/react-query";
import { Download, FileText } from "lucide-react";
import { useState } from "react";
import type { Attachment } from "../../shared/attachments.ts";
import type { Report } from "../../shared/reports.ts";
import { QueryError } from "../page/query-error.tsx";
import { useSettled } from "../kit/use-settled.ts";
import { byteText } from "../kit/byte-text.ts";
import { Lightbox } from "./lightbox.tsx";
import { attachmentsQuery, reportsPath } from "../data/reports.ts";

/** The files of a report: images to view, others to download. */
export function Attachments({ report }: { report: Report }) {
  const { id, project_id, attachments_count } = report;
  // Stepping quickly through the queue loads only the files of the report where the user stops.
  const settled = useSettled(String(id)) === String(id);
  const query = useQuery({
    ...attachmentsQuery(project_id, id),
    enabled: attachments_count > 0 && settled,
  });
  const [shown, setShown] = useState<number | null>(null);
  if (attachments_count === 0 && (query.data ?? []).length === 0)
    return <p className="text-text-3">No files.</p>;
  if (query.isError && query.data === undefined)
    return <QueryError error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <FilesSkeleton count={attachments_count} />;
  const urlOf = (attachment: Attachment) =>
    `${reportsPath(project_id)}/${id}/attachments/${attachment.id}/download`;
  const images = query.data.filter(isImage);
  const files = query.data.filter((attachment) => !isImage(attachment));
  return (
    <div className="flex flex-col gap-3">
      {images.length > 0 && (
        <ul aria-label="Images" className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-2">
          {images.map((image, index) => (
            <li key={image.id}>
              <button
                type="button"
                aria-label={`View ${image.filename}`}
                className="block w-full overflow-hidden rounded-md border border-line bg-sunken text-start hover:border-line-strong"
                onClick={() => setShown(index)}
              >
                <img
                  src={urlOf(image)}
                  alt=""
                  loading="lazy"
                  decoding="async"
                  className="h-24 w-full object-cover"
                />
                <span className="flex items-center gap-2 bg-surface px-2 py-1 text-sm">
                  <span className="min-w-0 flex-1 truncate" title={image.filename}>
                    {image.filename}
                  </span>
                  <span className="shrink-0 text-text-3">{byteText(image.size)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul aria-label="Files" className="flex flex-col gap-1">
          {files.map((file) => (
            <li key={file.id}>
              <a
                href={urlOf(file)}
                download={file.filename}
                className="flex min-h-8 items-center gap-2 rounded-md border border-line px-2 hover:bg-hover"
              >
                <FileText size={16} aria-hidden className="shrink-0 text-text-3" />
                <span className="min-w-0 flex-1 truncate" title={file.filename}>
                  {file.filename}
                </span>
                <span className="shrink-0 text-sm text-text-3">{byteText(file.size)}</span>
                <Download size={14} aria-label="Download" className="shrink-0 text-text-3" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {shown !== null && (
        <Lightbox
          images={images.map((image) => ({ ...image, url: urlOf(image) }))}
          index={shown}
          onIndex={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

const isImage = ({ mime_type }: Attachment) => mime_type.startsWith("image/");

/** As large as the files will be. */
function FilesSkeleton({ count }: { count: number }) {
  return (
    <div role="status" className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-2">
      <span className="sr-only">Loading the files</span>
      {Array.from({ length: Math.min(count, 8) }, (_, index) => (
        <span key={index} className="h-31 rounded-md border border-line bg-sunken" />
      ))}
    </div>
  );
}
