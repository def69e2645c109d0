import { useMemo } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { useProjects } from "../../data/projects/projects.ts";
import { LEVELS } from "../../../shared/levels.ts";
import type { Choice } from "../../kit/choice.ts";
import { FilterRow } from "../../kit/filter-row.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { selectFilter } from "../../kit/select-filter.tsx";
import { ToolSearch } from "../../kit/tool-search.tsx";
import { useAllKnown } from "../../data/errors/error-groups.ts";
import { useAssigneeChoices } from "../../issues/assignee-choices.tsx";
import { SortMenu } from "./sort-menu.tsx";
import { TagFilter } from "./tag-filter.tsx";
import type { ListSearch, View } from "../view.ts";

type Props = {
  project: Project | null;
  view: View;
  change: (changes: ListSearch) => void;
  groups: readonly ErrorGroupListItem[];
};

/** Search, filters and order. The options are the values of the newest groups. */
export function ErrorsFilters({ project, view, change, groups }: Props) {
  const selectOf = (
    name: "project" | "environment" | "release" | "assignee" | "level" | "regressed" | "first_release",
    label: string,
    options: { none: string; choices: Choice<string>[]; isRare?: boolean },
  ) =>
    selectFilter({
      ...options,
      name,
      label,
      value: view[name] ?? "",
      onChange: (value) => change({ [name]: value }),
    });
  const projects = useProjects().filter(({ features }) => features.error_tracking);
  const known = useAllKnown(project?.id ?? null) ?? groups;
  const environments = useMemo(() => distinct(known.map(({ environment }) => environment)), [known]);
  const releases = useMemo(
    () =>
      distinct(known.flatMap(({ release, last_release }) => [last_release, release])).toSorted(newestRelease),
    [known],
  );
  const assignees = useAssigneeChoices(project?.id ?? null, view.assignee);
  return (
    <>
      <ToolSearch>
        <SearchField
          label="Search errors"
          placeholder="Message, route, file"
          value={view.query ?? ""}
          onChange={(query) => change({ query })}
        />
      </ToolSearch>
      <div role="group" aria-label="Filters" className="contents">
        <FilterRow
          filters={[
            ...(project === null
              ? [
                  selectOf("project", "Project", {
                    none: "All projects",
                    choices: choices(
                      projects.map(({ key }) => key),
                      view.project,
                      (key) => projects.find((one) => one.key === key)?.name ?? key,
                    ),
                  }),
                ]
              : []),
            selectOf("environment", "Environment", {
              none: "All environments",
              choices: choices(environments, view.environment),
            }),
            selectOf("release", "Release", {
              none: "All releases",
              choices: choices(releases, view.release),
            }),
            selectOf("assignee", "Assignee", { none: "Everyone", choices: assignees }),
            selectOf("level", "Level", {
              none: "All levels",
              choices: choices(LEVELS, view.level, capitalized),
              isRare: true,
            }),
            selectOf("regressed", "Regression", {
              none: "All errors",
              choices: REGRESSED,
              isRare: true,
            }),
            selectOf("first_release", "First release", {
              none: "All releases",
              choices: choices(releases, view.first_release),
              isRare: true,
            }),
            {
              name: "tag",
              label: "Tag",
              isOn: Boolean(view.tag),
              isRare: true,
              renderPicker: (opening) => (
                <TagFilter
                  {...opening}
                  projectId={project?.id ?? projects.find(({ key }) => key === view.project)?.id ?? null}
                  value={view.tag ?? ""}
                  onChange={(tag) => change({ tag })}
                />
              ),
            },
          ]}
        />
      </div>
      <SortMenu view={view} change={change} />
    </>
  );
}

/** The server's filter leaves out groups that are not open when it selects the regressed ones. */
const REGRESSED = [
  { value: "true", label: "Regressed" },
  { value: "false", label: "Not regressed" },
];

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Deduplicated before sorting: sorting the releases of 500 groups takes longer than rendering them. */
const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

const numeric = new Intl.Collator("en", { numeric: true });
const newestRelease = (a: string, b: string) => numeric.compare(b, a);

/** Values as choices of a filter. The chosen one is among them even if no error has it. */
function choices(
  values: readonly string[],
  chosen: string | undefined,
  labelOf: (value: string) => string = (value) => value,
): Choice<string>[] {
  const all = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  return all.filter((value) => value !== "").map((value) => ({ value, label: labelOf(value) }));
}
