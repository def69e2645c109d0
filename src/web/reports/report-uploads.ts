import { useQueryClient } from "@tanstack/react-query";
import type { Attachment } from "../../shared/attachments.ts";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { announce } from "../kit/live-region.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { attachmentsQuery, reportsPath } from "../data/reports.ts";
import { attachmentRefusal } from "./report-files.ts";
import { sendForm } from "./send-form.ts";
import { uploadQueue } from "./upload-queue.ts";
import { useStore } from "../state/store.ts";

/** By report id. Kept while the app is open, so that opening another report does not cancel uploads. */
const queues = new Map<number, ReturnType<typeof uploadQueue>>();

/** The uploads of a report. */
export function useReportUploads({ id, project_id }: Report) {
  const client = useQueryClient();
  let queue = queues.get(id);
  if (queue === undefined) {
    queue = uploadQueue({
      rejection: attachmentRefusal,
      messageFor: (error) => (error instanceof ApiError && error.of("file")) || messageOf(error),
      send: async (file, options) => {
        const form = new FormData();
        form.set("file", file);
        const path = `${reportsPath(project_id)}/${id}/attachments`;
        const attachment = await sendForm<Attachment>(path, form, options);
        announce(`${attachment.filename} attached.`);
        client.setQueryData(attachmentsQuery(project_id, id).queryKey, (known) => [
          ...(known ?? []),
          attachment,
        ]);
        patchEverywhere(client, "report", id, ({ attachments_count }) => ({
          attachments_count: attachments_count + 1,
        }));
        await client.invalidateQueries(attachmentsQuery(project_id, id));
      },
    });
    queues.set(id, queue);
  }
  const uploads = useStore(queue.uploads);
  return { uploads, add: queue.add, cancel: queue.cancel, retry: queue.retry };
}
