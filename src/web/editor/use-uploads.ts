import { useEffect, useState } from "react";
import type { Attachment } from "../../shared/attachments.ts";
import { reasonOf } from "../forms/reason.ts";
import { sendForm } from "../attachments/send-form.ts";
import { attachmentRefusal } from "../attachments/file-rules.ts";
import { uploadQueue } from "../attachments/upload-queue.ts";
import { announce } from "../kit/notices/live-region.ts";
import { useStore } from "../state/store.ts";
import { rememberFile } from "./attached-files.ts";
import { applyState, stateOf } from "./insert-text.ts";
import {
  insertParts,
  isUploading,
  linkTo,
  placeholderFor,
  replaceOnce,
  withoutPlaceholders,
} from "./upload-text.ts";

/** Uploads files to `path`, which does not change. Each has a placeholder in the field until it is uploaded or removed. */
export function useUploads(field: HTMLTextAreaElement, path: string) {
  const [uploader] = useState(() => uploaderFor(field, path));
  useEffect(() => {
    // Uploads end with their editor; a draft may still have their placeholders.
    if (isUploading(field.value))
      applyState(field, { ...stateOf(field), text: withoutPlaceholders(field.value) });
    return uploader.cancelAll;
  }, [field, uploader]);
  return { ...uploader, uploads: useStore(uploader.uploads) };
}

function uploaderFor(field: HTMLTextAreaElement, path: string) {
  const placeholders = new WeakMap<File, string>();
  const replace = (file: File, text: string) => {
    const placeholder = placeholders.get(file);
    if (placeholder !== undefined) applyState(field, replaceOnce(stateOf(field), placeholder, text));
  };
  const queue = uploadQueue({
    rejection: attachmentRefusal,
    messageFor: reasonOf,
    send: async (file, options) => {
      const form = new FormData();
      form.set("file", file);
      const attachment = await sendForm<Attachment>(path, form, options);
      const url = `${path}/${attachment.id}/download`;
      rememberFile(url, attachment.id);
      replace(file, linkTo(attachment, url));
      announce(`${attachment.filename} attached.`);
    },
  });
  const cancel = (id: string) => {
    const file = queue.uploads.get().find((upload) => upload.id === id)?.file;
    queue.cancel(id);
    if (file !== undefined) replace(file, "");
  };
  return {
    uploads: queue.uploads,
    retry: queue.retry,
    cancel,
    cancelAll: () => {
      for (const { id } of queue.uploads.get()) queue.cancel(id);
    },
    add: (files: readonly File[]) => {
      let { value } = field;
      const parts = files
        .filter((file) => attachmentRefusal(file) === undefined)
        .map((file) => {
          const placeholder = placeholderFor(file.name, value);
          placeholders.set(file, placeholder);
          value += placeholder;
          return placeholder;
        });
      if (parts.length > 0) applyState(field, insertParts(stateOf(field), parts));
      queue.add(files);
    },
  };
}
