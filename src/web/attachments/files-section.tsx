import { Paperclip } from "lucide-react";
import { type DragEvent, type RefObject, useRef, useState } from "react";
import { attachmentsPath, putAttachment } from "../data/attachments.ts";
import { can } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { SectionHead } from "../kit/section-head.tsx";
import { UploadList } from "../kit/upload-list.tsx";
import { Attachments, type AttachmentsProps } from "./attachments.tsx";
import { ACCEPT_ATTACHMENTS } from "./file-rules.ts";
import { useAttachmentUploads } from "./attachment-uploads.ts";

type Props = AttachmentsProps & {
  /** Opens the file picker from elsewhere. The section is then absent while it has no files. */
  input?: RefObject<HTMLInputElement | null>;
};

/** The files of an issue or epic, with a button to add some. They can also be dropped here. */
export function FilesSection(props: Props) {
  const { project, of, attachments, more } = props;
  const { uploads, add, cancel, retry } = useAttachmentUploads(attachmentsPath(of), (client, attachment) =>
    putAttachment(client, of, attachment),
  );
  const [over, setOver] = useState(false);
  const ownInput = useRef<HTMLInputElement>(null);
  const input = props.input ?? ownInput;
  const mayAdd = can(project, "attachments:create");
  const count = attachments.length + (more?.length ?? 0);
  const field = mayAdd && (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label="Attach files"
      accept={ACCEPT_ATTACHMENTS}
      onChange={(event) => {
        add([...(event.target.files ?? [])]);
        event.target.value = "";
      }}
    />
  );
  if (count === 0 && (!mayAdd || (props.input !== undefined && uploads.length === 0))) return field;
  const onDragOver = (event: DragEvent) => {
    if (!mayAdd || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the pointer drops, the keyboard has the button inside
    <section
      aria-label="Files"
      className={cx(
        "flex min-w-0 flex-col gap-1 rounded-md",
        over && "bg-accent-tint",
        count === 0 && "print:hidden",
      )}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!mayAdd || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        setOver(false);
        add([...event.dataTransfer.files]);
      }}
    >
      <SectionHead
        title="Files"
        aside={count > 0 && <span className="font-normal">{count}</span>}
        isEmpty={count === 0}
      >
        {mayAdd && (
          <Button size="sm" variant="quiet" icon={Paperclip} onClick={() => input.current?.click()}>
            Attach
          </Button>
        )}
      </SectionHead>
      {field}
      <UploadList uploads={uploads} onCancel={cancel} onRetry={retry} />
      <Attachments {...props} />
    </section>
  );
}
