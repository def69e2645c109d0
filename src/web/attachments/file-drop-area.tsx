import { type DragEvent, type ReactNode, type RefObject, useState } from "react";
import { cx } from "../kit/cx.ts";

type Props = {
  /** Gets the dropped files, as if they had been chosen in its file picker. Null while it has not been rendered. */
  input: RefObject<HTMLInputElement | null>;
  disabled: boolean;
  className: string;
  children: ReactNode;
};

/** A part of a page that accepts dropped files anywhere. Editors inside keep what is dropped on them. */
export function FileDropArea({ input, disabled, className, children }: Props) {
  const [over, setOver] = useState(false);
  const accepts = (event: DragEvent) =>
    !disabled && !event.defaultPrevented && event.dataTransfer.types.includes("Files");
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the file picker inside works without a pointer
    <div
      className={cx(className, over && "bg-accent-tint")}
      onDragOver={(event) => {
        setOver(accepts(event));
        if (accepts(event)) event.preventDefault();
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!accepts(event)) return;
        event.preventDefault();
        choose(input.current, event.dataTransfer.files);
      }}
    >
      {children}
    </div>
  );
}

function choose(input: HTMLInputElement | null, files: FileList): void {
  if (input === null) return;
  input.files = files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
