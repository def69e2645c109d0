import { Download, FileText, X } from "lucide-react";
import { useState } from "react";
import type { Attachment } from "../../shared/attachments.ts";
import { byteText } from "../kit/byte-text.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Lightbox } from "./lightbox.tsx";

/** A file to show. `source` says where it is from, such as `#41` for a report. */
export type ShownFile = Attachment & { url: string; source?: string; onDelete?: () => Promise<unknown> };

/** Images to view, and other files to download. */
export function FileList({ files: all }: { files: readonly ShownFile[] }) {
  const [shown, setShown] = useState<number | null>(null);
  const [deleting, setDeleting] = useState<ShownFile>();
  const images = all.filter(isImage);
  const files = all.filter((file) => !isImage(file));
  return (
    <div className="flex flex-col gap-3">
      {images.length > 0 && (
        <ul aria-label="Images" className="grid grid-cols-[repeat(auto-fill,minmax(156px,1fr))] gap-2">
          {images.map((image, index) => (
            <ImageTile
              key={image.url}
              image={image}
              onView={() => setShown(index)}
              onDelete={() => setDeleting(image)}
            />
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul aria-label="Files" className="flex flex-col gap-1">
          {files.map((file) => (
            <FileLine key={file.url} file={file} onDelete={() => setDeleting(file)} />
          ))}
        </ul>
      )}
      {shown !== null && (
        <Lightbox images={images} index={shown} onIndex={setShown} onClose={() => setShown(null)} />
      )}
      {deleting && (
        <ConfirmDialog
          open
          onClose={() => setDeleting(undefined)}
          title={`Delete ${deleting.filename}?`}
          confirm="Delete file"
          done={`${deleting.filename} deleted`}
          onConfirm={async () => deleting.onDelete?.()}
        >
          This can’t be undone.
        </ConfirmDialog>
      )}
    </div>
  );
}

type TileProps = { image: ShownFile; onView: () => void; onDelete: () => void };

function ImageTile({ image, onView, onDelete }: TileProps) {
  return (
    <li className="group relative">
      <button
        type="button"
        className="block w-full overflow-hidden rounded-md border border-line bg-sunken text-start hover:border-line-strong"
        onClick={onView}
      >
        <img src={image.url} alt="" loading="lazy" decoding="async" className="h-24 w-full object-cover" />
        <span className="flex items-center gap-2 bg-surface px-2 py-1 text-sm">
          <span dir="auto" className="min-w-0 flex-1 truncate" title={image.filename}>
            <span className="sr-only">View </span>
            {image.filename}
          </span>{" "}
          <span className="shrink-0 text-text-3">{image.source ?? byteText(image.size)}</span>
        </span>
      </button>
      {image.onDelete && (
        <IconButton
          size="sm"
          variant="default"
          label={`Delete ${image.filename}`}
          icon={X}
          onClick={onDelete}
          className="absolute end-1 top-1 group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0"
        />
      )}
    </li>
  );
}

function FileLine({ file, onDelete }: { file: ShownFile; onDelete: () => void }) {
  return (
    <li className="flex min-w-0 items-center gap-1">
      <a
        href={file.url}
        download={file.filename}
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md border border-line px-2 hover:bg-hover"
      >
        <FileText size={16} aria-hidden className="shrink-0 text-text-3" />
        <span dir="auto" className="min-w-0 flex-1 truncate" title={file.filename}>
          {file.filename}
        </span>
        <span className="shrink-0 text-sm text-text-3">{byteText(file.size)}</span>
        <Download size={14} aria-label="Download" className="shrink-0 text-text-3" />
      </a>
      {file.onDelete && (
        <IconButton size="sm" label={`Delete ${file.filename}`} icon={X} onClick={onDelete} />
      )}
    </li>
  );
}

const isImage = ({ mime_type }: Attachment) => mime_type.startsWith("image/");
