import type { ReactNode } from "react";
import { X } from "lucide-react";
import { fadeOut } from "../kit/fade-out.ts";
import { IconButton } from "../kit/icon-button.tsx";

type Props = {
  count: number;
  onClear: () => void;
  /** In the singular: "report". */
  noun?: string;
  children: ReactNode;
};

/** The actions for the selected rows, at the bottom of their list; absent when nothing is selected. */
export function SelectionBar({ count, onClear, noun, children }: Props) {
  if (count === 0) return null;
  const things = noun === undefined ? "" : ` ${noun}${count === 1 ? "" : "s"}`;
  return (
    <div
      ref={fadeOut}
      role="toolbar"
      data-list-part
      aria-label="Actions for selected items"
      // In a narrow list, the buttons need the space of the keys.
      className="sticky bottom-0 z-10 flex animate-appear flex-wrap items-center gap-2 border-t border-line-strong bg-surface px-4 py-2 @max-[600px]:[&_kbd]:hidden"
    >
      <span role="status" className="font-medium">
        {count}
        {/* A narrow list has no room for it beside the buttons. */}
        <span className="@max-[600px]:sr-only">{things}</span>
        <span className="@max-[420px]:sr-only"> selected</span>
      </span>
      <IconButton
        label="Clear selection"
        shortcut="Escape"
        size="sm"
        icon={X}
        onClick={onClear}
        className="-ms-2 me-2"
      />
      {children}
    </div>
  );
}
