import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useId } from "react";
import { compactCount } from "./count-text.ts";
import { cx } from "./cx.ts";

type LinkTab = {
  label: string;
  /** The link it is, such as `<Link to="." search={…} />`; gets its look and words here. */
  link: ReactElement<{ className?: string; "aria-current"?: "page"; children?: ReactNode }>;
  current: boolean;
  count?: number | undefined;
};

/** Tabs that are addresses: what they show is in the URL. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-1 overflow-x-auto">
      {tabs.map((tab) =>
        cloneElement(
          tab.link,
          {
            key: tab.label,
            className: tabClass(tab.current),
            ...(tab.current ? { "aria-current": "page" as const } : {}),
          },
          <Words label={tab.label} count={tab.count} />,
        ),
      )}
    </nav>
  );
}

type Tab<V extends string> = { value: V; label: string; count?: number | undefined };

type TabsProps<V extends string> = {
  label: string;
  tabs: readonly Tab<V>[];
  value: V;
  onChange: (value: V) => void;
  /** The panel of the chosen tab. */
  children: ReactNode;
  className?: string;
};

/** Tabs within a page: arrows, Home and End choose. */
export function Tabs<V extends string>({ label, tabs, value, onChange, children, className }: TabsProps<V>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const here = tabs.findIndex((tab) => tab.value === value);
    const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    onChange(tab.value);
    event.currentTarget.parentElement
      ?.querySelector<HTMLElement>(`[data-value="${CSS.escape(tab.value)}"]`)
      ?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            className={cx(tabClass(tab.value === value), "-mb-px")}
            onClick={() => onChange(tab.value)}
            onKeyDown={onKeyDown}
          >
            <Words label={tab.label} count={tab.count} />
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={className}>
        {children}
      </div>
    </>
  );
}

function Words({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      {label}
      {count !== undefined && <span className="text-sm font-normal text-text-3">{compactCount(count)}</span>}
    </>
  );
}

function tabClass(current: boolean): string {
  return cx(
    "flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-2 font-medium whitespace-nowrap focus-visible:-outline-offset-2",
    current
      ? "border-accent text-text"
      : "border-transparent text-text-2 hover:border-line-strong hover:text-text",
  );
}
