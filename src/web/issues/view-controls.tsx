import { Select } from "../kit/select.tsx";
import { asGrouping, asSort, type Grouping, SORTS } from "./issue-groups.ts";
import type { Search } from "./use-view.ts";

const GROUP_LABELS: Record<Grouping, string> = {
  lane: "By lane",
  assignee: "By assignee",
  priority: "By priority",
  epic: "By epic",
  sprint: "By sprint",
  label: "By label",
  project: "By project",
};

const SORT_LABELS = {
  created: "Newest first",
  updated: "Recently updated",
  priority: "Most urgent first",
  title: "By title",
} as const;

/** Grouping and order, which are stored in the address. */
export function ViewControls({
  groupings,
  search,
  set,
}: {
  groupings: readonly Grouping[];
  search: Search;
  set: (changes: Search) => void;
}) {
  return (
    <>
      <Select
        aria-label="Group by"
        className="w-32"
        value={asGrouping(search["group"]) ?? ""}
        options={[
          { value: "", label: "No grouping" },
          ...groupings.map((value) => ({ value, label: GROUP_LABELS[value] })),
        ]}
        onChange={(event) => set({ group: event.target.value })}
      />
      <Select
        aria-label="Sort by"
        className="w-40"
        value={asSort(search["sort"])}
        options={SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
        onChange={(event) => set({ sort: event.target.value === "created" ? undefined : event.target.value })}
      />
    </>
  );
}
