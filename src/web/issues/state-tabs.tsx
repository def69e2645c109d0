import { Link } from "@tanstack/react-router";
import type { Issue } from "../../shared/issues.ts";
import { TabLinks } from "../kit/tab-links.tsx";
import { inState } from "./issue-filters.ts";
import type { Search } from "./use-view.ts";

const STATES = [
  { state: undefined, label: "Open" },
  { state: "closed", label: "Closed" },
  { state: "all", label: "All" },
] as const;

/** Open, closed or all, each with the number of issues that match the filters. */
export function StateTabs({ search, issues }: { search: Search; issues: readonly Issue[] | undefined }) {
  const current = search["state"] === "closed" || search["state"] === "all" ? search["state"] : undefined;
  return (
    <TabLinks
      label="State"
      tabs={STATES.map(({ state, label }) => ({
        label,
        current: state === current,
        count: issues?.filter((issue) => inState(issue, state)).length,
        link: (
          <Link to="." search={((old: Search) => ({ ...old, state, peek: undefined })) as never} replace />
        ),
      }))}
    />
  );
}
