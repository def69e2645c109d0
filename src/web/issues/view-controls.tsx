import { SlidersHorizontal } from "lucide-react";
import { Button } from "../kit/button.tsx";
import { useDensityEntries } from "../kit/density.ts";
import { Menu } from "../kit/menu.tsx";
import { TOOL_TEXT } from "../kit/page-header.tsx";
import { asGrouping, asSort, type Grouping, SORTS } from "./issue-groups.ts";
import type { Search } from "./use-view.ts";

const GROUP_LABELS: Record<Grouping, string> = {
  lane: "Lane",
  assignee: "Assignee",
  priority: "Priority",
  epic: "Epic",
  sprint: "Sprint",
  label: "Label",
  project: "Project",
};

const SORT_LABELS = {
  created: "Newest first",
  updated: "Recently updated",
  priority: "Most urgent first",
  due: "Due first",
  title: "Title",
} as const;

/** Grouping and order, which are stored in the address, and the density of all lists. */
export function ViewControls({
  groupings,
  search,
  set,
}: {
  groupings: readonly Grouping[];
  search: Search;
  set: (changes: Search) => void;
}) {
  const group = asGrouping(search["group"]);
  const sort = asSort(search["sort"]);
  const density = useDensityEntries();
  return (
    <Menu
      label="Display"
      align="end"
      trigger={
        <Button size="sm" variant="quiet" icon={SlidersHorizontal}>
          <span className={TOOL_TEXT}>Display</span>
        </Button>
      }
      items={[
        { heading: "Group by" },
        {
          label: "No grouping",
          checked: group === undefined,
          exclusive: true,
          onSelect: () => set({ group: undefined }),
        },
        ...groupings.map((value) => ({
          label: GROUP_LABELS[value],
          checked: value === group,
          exclusive: true,
          onSelect: () => set({ group: value }),
        })),
        { heading: "Sort by" },
        ...SORTS.map((value) => ({
          label: SORT_LABELS[value],
          checked: value === sort,
          exclusive: true,
          onSelect: () => set({ sort: value === "created" ? undefined : value }),
        })),
        ...density,
      ]}
    />
  );
}
