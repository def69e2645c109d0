import { Link } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TabLinks } from "../kit/tab-links.tsx";

export type Section = { value: string; label: string; content: ReactNode };

type Props = {
  title: string;
  crumbs: readonly ReactNode[];
  /** The sections this user may see. The first one is the default. */
  sections: readonly Section[];
  current: string | undefined;
};

/** Settings in sections, each with its own URL. */
export function SettingsFrame({ title, crumbs, sections, current }: Props) {
  const shown = sections.find(({ value }) => value === current) ?? sections[0];
  return (
    <>
      <PageHeader
        title={
          <>
            {title}
            {/* The heading becomes the tab's title, which says which section it is. */}
            <span className="sr-only">: {shown?.label}</span>
          </>
        }
        crumbs={crumbs}
        tabs={
          <TabLinks
            label="Sections"
            tabs={sections.map(({ value, label }) => ({
              label,
              current: value === shown?.value,
              link: <Link to="." search={{ section: value }} />,
            }))}
          />
        }
      />
      <div key={shown?.value} className="flex w-full max-w-[960px] flex-col gap-8 px-4 py-6">
        <Suspense fallback={<Skeleton />}>{shown?.content}</Suspense>
      </div>
    </>
  );
}
