import type { ReactNode } from "react";
import type { Grouping } from "../../../shared/error-grouping.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";

export type GroupingPartProps = {
  project: Project;
  group: ErrorGroup;
  grouping: Grouping;
  mayUpdate: boolean;
};

/** A titled list of errors on the Grouping tab. */
export function GroupingPart({
  title,
  intro,
  children,
}: {
  title: string;
  intro: string | false;
  children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      {intro && <p className="text-text-3">{intro}</p>}
      <div role="list" aria-label={title} className="flex flex-col divide-y divide-line empty:hidden">
        {children}
      </div>
    </section>
  );
}

/** One error of the list, and what can be done with it. */
export function GroupingEntry({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <div role="listitem" className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-2 py-2">
      <div className="min-w-40 flex-1">{children}</div>
      {action}
    </div>
  );
}
