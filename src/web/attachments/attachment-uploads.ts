import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Attachment } from "../../shared/attachments.ts";
import { reasonOf } from "../forms/reason.ts";
import { announce } from "../kit/notices/live-region.ts";
import { useStore } from "../state/store.ts";
import { attachmentRefusal } from "./file-rules.ts";
import { sendForm } from "./send-form.ts";
import { uploadQueue } from "./upload-queue.ts";

/** By path. Kept while the app is open, so that opening another page does not cancel uploads. */
const queues = new Map<string, ReturnType<typeof attachmentQueue>>();

const attachmentQueue = (path: string) =>
  uploadQueue({
    rejection: attachmentRefusal,
    messageFor: reasonOf,
    send: async (file, options) => {
      const form = new FormData();
      form.set("file", file);
      const attachment = await sendForm<Attachment>(path, form, options);
      announce(`${attachment.filename} attached.`);
      return attachment;
    },
  });

/** The uploads to a path such as `/api/projects/5/issues/312/attachments`. `onAdded` puts a new attachment into the cache. */
export function useAttachmentUploads(
  path: string,
  onAdded: (client: QueryClient, attachment: Attachment) => Promise<unknown>,
) {
  const client = useQueryClient();
  const queue = queues.get(path) ?? attachmentQueue(path);
  queues.set(path, queue);
  const uploads = useStore(queue.uploads);
  const add = (files: readonly File[]) => queue.add(files, (attachment) => onAdded(client, attachment));
  return { uploads, add, cancel: queue.cancel, retry: queue.retry };
}
