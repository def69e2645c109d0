import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import type { KeyboardEvent } from "react";
import { byteText } from "../kit/byte-text.ts";
import { LinkButton } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";

type Shown = { id: number; filename: string; size: number; url: string };

type Props = {
  images: readonly Shown[];
  index: number;
  onIndex: (index: number) => void;
  onClose: () => void;
};

/** One image at full size; ← and → show the others. */
export function Lightbox({ images, index, onIndex, onClose }: Props) {
  const image = images[Math.min(index, images.length - 1)];
  if (image === undefined) return null;
  const go = (step: number) => onIndex((index + step + images.length) % images.length);
  const many = images.length > 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!many || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    event.preventDefault();
    go(event.key === "ArrowLeft" ? -1 : 1);
  };
  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      title={<span className="block truncate">{image.filename}</span>}
      description={`${many ? `${index + 1} of ${images.length} · ` : ""}${byteText(image.size)}`}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys for the buttons inside */}
      <div onKeyDown={onKeyDown} className="flex flex-col gap-3">
        <div className="flex items-center justify-center gap-2">
          {many && (
            <>
              <IconButton
                label="Previous image"
                shortcut="ArrowLeft"
                icon={ChevronLeft}
                onClick={() => go(-1)}
              />
              <IconButton
                label="Next image"
                shortcut="ArrowRight"
                icon={ChevronRight}
                onClick={() => go(1)}
              />
            </>
          )}
          <LinkButton href={image.url} download={image.filename} icon={Download} className="ms-auto">
            Download
          </LinkButton>
        </div>
        <img
          src={image.url}
          alt={image.filename}
          className="mx-auto max-h-[60dvh] max-w-full rounded-sm bg-sunken object-contain"
        />
      </div>
    </Dialog>
  );
}
