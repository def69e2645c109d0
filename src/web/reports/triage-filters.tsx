import { useNavigate } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { FilterRow, type RowFilter } from "../kit/filter-row.tsx";
import { FilterSelect } from "../kit/filter-select.tsx";
import { selectFilter } from "../kit/select-filter.tsx";
import { REPORT_KIND_MARKS } from "../marks/report-kind.ts";
import { given } from "../page/search-params.ts";
import type { Triage } from "./use-triage.ts";

const KINDS = Object.entries(REPORT_KIND_MARKS).map(([value, { label }]) => ({ value, label }));
/** The kind of the reports, and their order. Each appears once there are reports that differ in it. */
export function TriageFilters({ project, triage }: { project: Project; triage: Triage }) {
  const { all, view, search, kind, hasVoicesOrder } = triage;
  const navigate = useNavigate();
  const change = (changes: { kind: string } | { sort: string }) =>
    void navigate({
      to: "/projects/$projectKey/triage",
      params: { projectKey: project.key },
      search: given({ ...search, ...changes }),
      replace: true,
    });
  const filters: RowFilter[] = [];
  if (kind !== undefined || all.some((report) => report.kind !== null))
    filters.push(
      selectFilter({
        name: "kind",
        label: "Kind",
        none: "All kinds",
        choices: KINDS,
        value: kind ?? "",
        onChange: (value) => change({ kind: value }),
      }),
    );
  if (hasVoicesOrder || all.some(({ voices }) => voices > 1))
    filters.push({
      name: "order",
      label: "Order",
      isOn: hasVoicesOrder,
      renderPicker: (opening) => (
        <FilterSelect
          {...opening}
          label="Order"
          choices={[
            { value: "rank", label: view === "active" ? "Queue order" : "Latest first" },
            { value: "voices", label: "Most voices" },
          ]}
          value={hasVoicesOrder ? "voices" : "rank"}
          onChange={(value) => change({ sort: value === "voices" ? value : "" })}
        />
      ),
    });
  return filters.length === 0 ? null : <FilterRow filters={filters} />;
}
