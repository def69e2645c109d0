import { ArrowDownWideNarrow, ArrowUpNarrowWide } from "lucide-react";
import type { ErrorGroupSort } from "../../../shared/error-groups.ts";
import { FilterTrigger } from "../../kit/filter-select.tsx";
import { Menu } from "../../kit/menu.tsx";
import { IMPACT_HELP, type ListSearch, sortOf, SORTS, type View } from "../view.ts";

/** The order of the list and its direction. */
export function SortMenu({ view, change }: { view: View; change: (changes: ListSearch) => void }) {
  const sort = sortOf(view);
  const isAscending = view.direction === "asc";
  const Icon = isAscending ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <Menu
      label="Sort by"
      align="end"
      trigger={
        <FilterTrigger isOn={false}>
          <span className="sr-only">Sort by: </span>
          <Icon aria-hidden size={14} className="inline align-[-2px]" />
          <span className="ms-1 @max-[600px]/tools:sr-only">{SORTS[sort]}</span>
          <span className="sr-only">, {isAscending ? "ascending" : "descending"}</span>
        </FilterTrigger>
      }
      items={[
        { heading: "Sort by" },
        ...Object.entries(SORTS).map(([value, label]) => ({
          label,
          hint: (value as ErrorGroupSort) === "impact" ? IMPACT_HELP : undefined,
          checked: value === sort,
          exclusive: true,
          onSelect: () => change({ sort: value === "last_seen" ? "" : value }),
        })),
        "separator",
        ...(["Descending", "Ascending"] as const).map((label) => ({
          label,
          checked: (label === "Ascending") === isAscending,
          exclusive: true,
          onSelect: () => change({ direction: label === "Ascending" ? "asc" : "" }),
        })),
      ]}
    />
  );
}
