import { Check, CircleAlert, RotateCw, X } from "lucide-react";
import { byteText } from "./byte-text.ts";
import { IconButton } from "./icon-button.tsx";

export type Upload = {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  /** 0 to 1; null when unknown. */
  progress: number | null;
  state: "waiting" | "sending" | "done" | "failed";
  error?: string | undefined;
};

type Props = { uploads: readonly Upload[]; onCancel: (id: string) => void; onRetry: (id: string) => void };

/** Files being uploaded, each with its progress and buttons to cancel or retry. */
export function UploadList({ uploads, onCancel, onRetry }: Props) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="flex flex-col gap-1">
      {uploads.map(({ id, name, size, progress, state, error }) => (
        <li key={id} className="flex items-center gap-2 rounded-md border border-line py-1 ps-3 pe-1">
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              {state === "done" && <Check size={14} className="shrink-0 text-resolved" />}
              {state === "failed" && <CircleAlert size={14} className="shrink-0 text-danger" />}
              <span className="truncate">{name}</span>
              <span className="shrink-0 text-sm text-text-3">
                {state === "done" ? "Uploaded" : state === "waiting" ? "Waiting" : byteText(size)}
              </span>
            </div>
            {state === "sending" && (
              <div
                role="progressbar"
                aria-label={`Uploading ${name}`}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={progress === null ? undefined : Math.round(progress * 100)}
                className="mt-1 h-1 overflow-hidden rounded-full bg-sunken forced-colors:border"
              >
                <div
                  className="h-full bg-accent transition-[width] forced-colors:bg-[Highlight]"
                  style={{ width: `${(progress ?? 0.3) * 100}%` }}
                />
              </div>
            )}
            {error !== undefined && (
              <p role="alert" className="text-sm text-danger">
                {error}
              </p>
            )}
          </div>
          {state === "failed" && (
            <IconButton size="sm" label={`Try ${name} again`} icon={RotateCw} onClick={() => onRetry(id)} />
          )}
          <IconButton
            size="sm"
            label={state === "done" ? `Remove ${name}` : `Cancel ${name}`}
            icon={X}
            onClick={() => onCancel(id)}
          />
        </li>
      ))}
    </ul>
  );
}
