import { cloneElement, type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { showCurrentTab } from "./show-current-tab.ts";
import { TabLabel, tabClass } from "./tab-label.tsx";

type LinkTab = {
  label: string;
  /** A link such as `<Link to="." search={…} />`, to which its style and label are added. */
  link: ReactElement<{ className?: string; "aria-current"?: "page"; children?: ReactNode }>;
  current: boolean;
  count?: number | undefined;
};

/** Tabs that are links: the selected one is in the URL. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    // Also when the strip has become too narrow for all tabs. The observer reports the first width, too.
    const observer = new ResizeObserver(() => showCurrentTab(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <nav
      ref={strip}
      aria-label={label}
      data-tabs
      className="-ms-2 fade-ends flex min-w-0 gap-1 self-start overflow-x-auto [scrollbar-width:none]"
    >
      {tabs.map((tab) =>
        cloneElement(
          tab.link,
          {
            key: tab.label,
            className: tabClass(tab.current),
            ...(tab.current ? { "aria-current": "page" as const } : {}),
          },
          <TabLabel label={tab.label} count={tab.count} isQuiet={!tab.current} />,
        ),
      )}
    </nav>
  );
}
