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
import { environmentsOf, filterChoices, releasesOf } from "./filter-choices.ts";
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
  const environments = useMemo(() => environmentsOf(known), [known]);
  const releases = useMemo(() => releasesOf(known), [known]);
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
                    choices: filterChoices(
                      projects.map(({ key }) => key),
                      view.project,
                      (key) => projects.find((one) => one.key === key)?.name ?? key,
                    ),
                  }),
                ]
              : []),
            selectOf("environment", "Environment", {
              none: "All environments",
              choices: filterChoices(environments, view.environment),
            }),
            selectOf("release", "Release", {
              none: "All releases",
              choices: filterChoices(releases, view.release),
            }),
            selectOf("assignee", "Assignee", { none: "Everyone", choices: assignees }),
            selectOf("level", "Level", {
              none: "All levels",
              choices: filterChoices(LEVELS, view.level, capitalized),
              isRare: true,
            }),
            selectOf("regressed", "Regression", {
              none: "All errors",
              choices: REGRESSED,
              isRare: true,
            }),
            selectOf("first_release", "First release", {
              none: "All releases",
              choices: filterChoices(releases, view.first_release),
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
