import { X } from "lucide-react";
import { byteText } from "../kit/byte-text.ts";
import { FileDrop } from "../kit/file-drop.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { ACCEPT_IMAGES, REPORT_IMAGES } from "../attachments/file-rules.ts";
import type { ChosenImages } from "./use-chosen-images.ts";

type Props = {
  images: ChosenImages;
  /** 0 to 1 while the report is sent. */
  progress: number | null;
  /** The server's error for the image at this index. */
  errorOf: (index: number) => string | undefined;
};

/** The images of a new report. */
export function ReportImages({ images: { chosen, rejected, add, remove }, progress, errorOf }: Props) {
  const isFull = chosen.length >= REPORT_IMAGES.most;
  return (
    <section aria-labelledby="report-images" className="flex flex-col gap-2">
      <h3 id="report-images" className="font-medium">
        Images{" "}
        <span className="ms-1 font-normal text-text-3">{`${chosen.length} of ${REPORT_IMAGES.most}`}</span>
      </h3>
      {chosen.length > 0 && (
        <ul aria-label="Images" className="grid grid-cols-[repeat(auto-fill,minmax(128px,1fr))] gap-2">
          {chosen.map(({ id, file, url }, index) => (
            <li key={id} className="relative overflow-hidden rounded-md border border-line bg-sunken">
              <img src={url} alt="" className="h-20 w-full object-cover" />
              <IconButton
                size="sm"
                variant="default"
                label={`Remove ${file.name}`}
                icon={X}
                disabled={progress !== null}
                onClick={() => remove(id)}
                className="absolute top-1 right-1"
              />
              <p className="flex gap-2 bg-surface px-2 py-1 text-sm">
                <span className="min-w-0 flex-1 truncate" title={file.name}>
                  {file.name}
                </span>
                <span className="shrink-0 text-text-3">{byteText(file.size)}</span>
              </p>
              {errorOf(index) !== undefined && (
                <p role="alert" className="bg-surface px-2 pb-1 text-sm text-danger">
                  {errorOf(index)}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {rejected.length > 0 && (
        <ul role="alert" className="text-sm text-danger">
          {rejected.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {progress !== null && chosen.length > 0 && (
        <div
          role="progressbar"
          aria-label="Sending the report"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(progress * 100)}
          className="h-1 overflow-hidden rounded-full bg-sunken"
        >
          <div className="h-full bg-accent transition-[width]" style={{ width: `${progress * 100}%` }} />
        </div>
      )}
      {!isFull && (
        <FileDrop
          accept={ACCEPT_IMAGES}
          hint={`You can also paste images. Up to ${byteText(REPORT_IMAGES.bytes)} each.`}
          disabled={progress !== null}
          onFiles={add}
        />
      )}
    </section>
  );
}
