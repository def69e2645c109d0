import { Select } from "../kit/select.tsx";
import { asGrouping, asSort, type Grouping, SORTS } from "./issue-groups.ts";
import type { Search } from "./use-view.ts";

const GROUP_WORDS: Record<Grouping, string> = {
  lane: "By lane",
  assignee: "By assignee",
  priority: "By priority",
  epic: "By epic",
  sprint: "By sprint",
  label: "By label",
  project: "By project",
};

const SORT_WORDS = {
  created: "Newest first",
  updated: "Latest change first",
  priority: "Most urgent first",
  title: "By title",
} as const;

/** Grouping and order, which are in the address. */
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
        aria-label="Group"
        className="w-32"
        value={asGrouping(search["group"]) ?? ""}
        options={[
          { value: "", label: "No groups" },
          ...groupings.map((value) => ({ value, label: GROUP_WORDS[value] })),
        ]}
        onChange={(event) => set({ group: event.target.value })}
      />
      <Select
        aria-label="Order"
        className="w-40"
        value={asSort(search["sort"])}
        options={SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
        onChange={(event) => set({ sort: event.target.value === "created" ? undefined : event.target.value })}
      />
    </>
  );
}
