import { type DragEvent, type ReactNode, useEffect } from "react";
import type { Report } from "../../shared/reports.ts";
import { byteText } from "../kit/byte-text.ts";
import { FileDrop } from "../kit/file-drop.tsx";
import { UploadList } from "../kit/upload-list.tsx";
import { ACCEPT_ATTACHMENTS, ATTACHMENT_BYTES } from "../attachments/file-rules.ts";
import { useAttachmentUploads } from "../attachments/attachment-uploads.ts";
import { patchEverywhere } from "../data/cache/patch-everywhere.ts";
import { attachmentsQuery, reportsPath } from "../data/reports/reports.ts";

/** Adds files to a report with the file picker, by drop, or by paste anywhere outside a field. */
export function ReportAttach({ report }: { report: Report }) {
  const { uploads, add, cancel, retry } = useReportUploads(report);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented || hasOwnPaste(event.target)) return;
      event.preventDefault();
      add(files);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [add]);
  return (
    <div className="flex flex-col gap-2">
      <UploadList uploads={uploads} onCancel={cancel} onRetry={retry} />
      <FileDrop
        accept={ACCEPT_ATTACHMENTS}
        hint={`You can also paste files. Up to ${byteText(ATTACHMENT_BYTES)} each.`}
        onFiles={add}
      />
    </div>
  );
}

/** Attaches files that are dropped anywhere on a report. */
export function ReportDropArea({
  report,
  disabled,
  children,
}: {
  report: Report;
  disabled: boolean;
  children: ReactNode;
}) {
  const { add } = useReportUploads(report);
  const holdsFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes("Files");
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the file picker inside works without a pointer
    <div
      className="flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => holdsFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        // The file picker inside has handled it.
        if (event.defaultPrevented || !holdsFiles(event)) return;
        event.preventDefault();
        add([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}

const hasOwnPaste = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest(
    "input:not([type=checkbox]), textarea, [contenteditable], [role=dialog], [role=alertdialog]",
  ) !== null;

/** The uploads of a report. */
function useReportUploads({ id, project_id }: Report) {
  return useAttachmentUploads(`${reportsPath(project_id)}/${id}/attachments`, async (client, attachment) => {
    client.setQueryData(attachmentsQuery(project_id, id).queryKey, (known) => [...(known ?? []), attachment]);
    patchEverywhere(client, "report", id, ({ attachments_count }) => ({
      attachments_count: attachments_count + 1,
    }));
    await client.invalidateQueries(attachmentsQuery(project_id, id));
  });
}
