import { useElementScrollRestoration } from "@tanstack/react-router";
import { type ReactNode, useCallback, useDeferredValue, useRef } from "react";
import { cx } from "../kit/cx.ts";
import { fadeOut } from "../kit/fade-out.ts";
import { useFirstFramePainted } from "../kit/use-first-frame-painted.ts";
import { useSideBySide } from "./use-side-by-side.ts";

type Props = {
  list: ReactNode;
  /** The open item; null shows the list alone, or `empty` beside it. */
  preview: ReactNode | null;
  /** Beside the list while nothing is open. Without it, the list takes the whole width. */
  empty?: ReactNode;
  /** The name of the preview. */
  label: string;
  /** Identifies the open item: each starts at its top and has its own scroll position. */
  opened: string | number | null | undefined;
};

/**
 * A list and its open item side by side; below 900 px one at a time. Fills the available height. Beside the list, the item
 * follows one frame later: the list paints first, and a held key goes past items without rendering them.
 */
export function SplitView({ list, ...props }: Props) {
  const isSideBySide = useSideBySide();
  const view = useRef<HTMLDivElement>(null);
  const pane = useCallback((element: HTMLElement | null) => {
    const fade = fadeOut(element);
    return () => {
      // React clears the outer ref first. Then the page is left, and nothing of it should stay.
      if (view.current !== null) fade?.();
    };
  }, []);
  const later = {
    preview: useDeferredValue(props.preview),
    empty: useDeferredValue(props.empty),
    label: useDeferredValue(props.label),
    opened: useDeferredValue(props.opened),
  };
  const { preview, empty, label, opened } = isSideBySide ? later : props;
  const beside = preview ?? empty ?? null;
  const restorationId = `${label} ${opened ?? ""}`;
  const isFirstFramePainted = useFirstFramePainted();
  // The router restores the scroll position of an item only if its content is there.
  const isScrolled = (useElementScrollRestoration({ id: restorationId })?.scrollY ?? 0) > 0;
  return (
    <div ref={view} className="flex min-h-0 flex-1">
      <div
        className={cx(
          "flex min-h-0 min-w-0 flex-1 flex-col bg-surface",
          preview !== null && "max-md:hidden",
          beside !== null && "md:max-w-[46%] md:min-w-90 md:basis-[46%] md:border-e md:border-line",
        )}
      >
        {list}
      </div>
      {beside !== null && (
        // It appears once, not again for each item.
        <div
          ref={pane}
          className={cx("flex min-h-0 min-w-0 flex-1 animate-fade", preview === null && "max-md:hidden")}
        >
          <section
            key={opened}
            // The router restores the scroll position of elements by this id.
            data-scroll-restoration-id={restorationId}
            aria-label={label}
            className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto bg-surface"
          >
            {(isFirstFramePainted || isScrolled || !isSideBySide) && beside}
          </section>
        </div>
      )}
    </div>
  );
}
