import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { TabLabel, tabClass } from "./tab-label.tsx";

type Tab<V extends string> = { value: V; label: string; count?: number | undefined };

type Props<V extends string> = {
  label: string;
  tabs: readonly Tab<V>[];
  value: V;
  onChange: (value: V) => void;
  /** The panel of the selected tab. */
  children: ReactNode;
  className?: string;
};

/** Tabs within a page. Arrows, Home and End choose. */
export function Tabs<V extends string>({ label, tabs, value, onChange, children, className }: Props<V>) {
  return (
    <Base.Root value={value} onValueChange={(next: V) => onChange(next)}>
      <Base.List
        activateOnFocus
        aria-label={label}
        className="-ms-2 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={cx(tabClass(tab.value === value), "-mb-px")}>
            <TabLabel label={tab.label} count={tab.count} />
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} tabIndex={-1} className={className}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
