import { type ReactNode, useId, useState } from "react";
import { ChevronRight } from "lucide-react";
import { cx } from "./cx.ts";

type Props = {
  title: ReactNode;
  defaultOpen?: boolean;
  /** Shown next to the title, outside the button. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A collapsible section. Collapsed content is not rendered. */
export function Disclosure({ title, defaultOpen = false, aside, children }: Props) {
  const id = useId();
  const [open, setOpen] = useState(defaultOpen);
  return (
    <div>
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-1 rounded-sm text-start font-medium"
          onClick={() => setOpen(!open)}
        >
          <ChevronRight
            size={16}
            className={cx("shrink-0 text-text-3 transition-transform", open && "rotate-90")}
          />
          <span className="min-w-0">{title}</span>
        </button>
        {aside}
      </div>
      {open && (
        <div id={id} className="ps-5">
          {children}
        </div>
      )}
    </div>
  );
}
