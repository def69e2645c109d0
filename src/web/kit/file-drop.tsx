import { type DragEvent, useId, useState } from "react";
import { Paperclip } from "lucide-react";
import { cx } from "./cx.ts";

type Props = {
  onFiles: (files: File[]) => void;
  /** File types for the file picker: `image/*,.pdf`. */
  accept?: string;
  multiple?: boolean;
  /** For example "Up to 20 MB each". */
  hint?: string;
  disabled?: boolean;
};

/** Accepts files by drag and drop and by the file picker. */
export function FileDrop({ onFiles, accept, multiple = true, hint, disabled = false }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files !== null && files.length > 0 && !disabled)
      onFiles(multiple ? [...files] : [...files].slice(0, 1));
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the pointer drops, the keyboard has the picker inside
    <label
      htmlFor={id}
      data-no-print
      className={cx(
        "flex min-h-12 items-center justify-center gap-2 rounded-md border border-dashed px-3 py-2 text-text-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
        over ? "border-accent bg-accent-tint" : "border-line-strong hover:bg-hover",
        disabled && "opacity-50",
      )}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Paperclip size={16} className="shrink-0" />
      <span>
        Drop {multiple ? "files" : "a file"} here, or choose
        {hint !== undefined && <span className="block text-sm text-text-3">{hint}</span>}
      </span>
      <input
        id={id}
        type="file"
        className="sr-only"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = "";
        }}
      />
    </label>
  );
}
