import type { ReactNode } from "react";
import { X } from "lucide-react";
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
      ref={reserveSpace}
      role="toolbar"
      data-list-part
      aria-label="Actions for selected items"
      // In a narrow list, the buttons need the space of the keys.
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line-strong bg-surface px-4 py-2 @max-[600px]:[&_kbd]:hidden"
    >
      <span role="status" className="font-medium">
        {`${count}${things} selected`}
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

/** Messages are shown above the bar. Its height depends on how its buttons wrap. */
function reserveSpace(bar: HTMLElement | null) {
  if (bar === null) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--selection-bar", `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty("--selection-bar");
  };
}
