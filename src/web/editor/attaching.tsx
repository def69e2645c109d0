import { type RefObject, useEffect } from "react";
import { createPortal } from "react-dom";
import { ACCEPT_ATTACHMENTS } from "../attachments/file-rules.ts";
import { UploadList } from "../kit/upload-list.tsx";
import type { TakeFiles } from "./insert-text.ts";
import { useUploads } from "./use-uploads.ts";

type Props = {
  field: HTMLTextAreaElement;
  path: string;
  tray: HTMLElement;
  onReady: (add: TakeFiles) => void;
  picker: RefObject<HTMLInputElement | null>;
};

/** Uploads what is pasted, dropped or chosen, and shows the progress below the field. */
export function Attaching({ field, path, tray, onReady, picker }: Props) {
  const { uploads, add, cancel, retry } = useUploads(field, path);
  useEffect(() => onReady(add), [onReady, add]);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={ACCEPT_ATTACHMENTS}
        aria-label="Files to attach"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = "";
          field.focus();
        }}
      />
      {createPortal(<UploadList uploads={uploads} onCancel={cancel} onRetry={retry} />, tray)}
    </>
  );
}
