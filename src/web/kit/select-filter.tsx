import type { RowFilter } from "./filter-row.tsx";
import { FilterSelect, type SelectProps } from "./filter-select.tsx";

/** A filter of a `FilterRow`: one of several choices. */
export function selectFilter({
  name,
  isRare = false,
  ...select
}: SelectProps & { name: string; none: string; isRare?: boolean }): RowFilter {
  return {
    name,
    label: select.label,
    isOn: select.value !== "",
    isRare,
    renderPicker: (opening) => <FilterSelect {...opening} {...select} />,
  };
}
