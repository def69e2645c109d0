import { Search, X } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useEpics } from "../data/projects/epics.ts";
import { allIssuesQuery } from "../data/issues/issues.ts";
import { useLabels } from "../data/projects/labels.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { useSprints } from "../data/projects/sprints.ts";
import { Button } from "../kit/button.tsx";
import type { Choice } from "../kit/choice.ts";
import { FilterRow } from "../kit/filter-row.tsx";
import { Input } from "../kit/input.tsx";
import { TOOL_TEXT } from "../kit/page-header.tsx";
import { PRIORITY_WORDS } from "../marks/priority-mark.tsx";
import { ToolSearch } from "../kit/tool-search.tsx";
import { TYPE_WORDS } from "../marks/type-mark.tsx";
import { useAssigneeChoices } from "./assignee-choices.tsx";
import { pickFilter } from "./filter-picker.tsx";
import type { FilterName } from "./filter-names.ts";
import { isFiltered, type IssueView } from "./issue-filters.ts";
import { LabelDot, LaneIcon, PriorityIcon, TypeIcon } from "./option-icons.tsx";

type Props = {
  search: IssueView;
  set: (changes: IssueView) => void;
  clear: () => void;
};

/** The filters of a project's issues, which are stored in the address. */
export function FilterBar({
  projectId,
  lanes: withLanes = false,
  ...props
}: Props & { projectId: number; lanes?: boolean }) {
  const project = useProjects().find(({ id }) => id === projectId);
  const readsEpics = project !== undefined && can(project, "epics:read");
  const assignees = useAssigneeChoices(projectId, props.search.assignee);
  const labels = useLabels(projectId);
  const epics = useEpics(projectId, readsEpics);
  const sprints = useSprints(projectId);
  const lanes = useLanes(projectId);
  const parents = useParents(projectId);

  const filters: [FilterName, string, Choice<string>[]][] = [
    ["assignee", "Assignee", assignees],
    [
      "label",
      "Label",
      [
        ...labels.map(({ id, name, color }) => ({
          value: String(id),
          label: name,
          icon: <LabelDot color={color} />,
        })),
        { value: "none", label: "No label" },
      ],
    ],
    ...(withLanes
      ? ([
          [
            "lane",
            "Lane",
            lanes.map(({ id, name, kind }) => ({
              value: String(id),
              label: name,
              icon: <LaneIcon kind={kind} />,
            })),
          ],
        ] satisfies [FilterName, string, Choice<string>[]][])
      : []),
    ...(readsEpics
      ? ([
          [
            "epic",
            "Epic",
            [
              ...epics.map(({ id, title }) => ({ value: String(id), label: title })),
              { value: "none", label: "No epic" },
            ],
          ],
        ] satisfies [FilterName, string, Choice<string>[]][])
      : []),
    [
      "sprint",
      "Sprint",
      [
        ...sprints.map(({ id, name, state }) => ({ value: String(id), label: name, hint: state })),
        { value: "none", label: "No sprint" },
      ],
    ],
    ...SHARED_FILTERS,
    ...(parents.length > 0
      ? ([["parent", "Parent", [...parents, { value: "none", label: "No parent" }]]] satisfies [
          FilterName,
          string,
          Choice<string>[],
        ][])
      : []),
  ];
  return <Filters {...props} filters={filters} />;
}

/** The issues with sub-issues, in the list that the page shows. */
function useParents(projectId: number): Choice<string>[] {
  const { data } = useQuery({ ...allIssuesQuery(projectId), enabled: false });
  return useMemo(
    () =>
      (data ?? [])
        .filter(({ sub_issue_counts }) => sub_issue_counts.total > 0)
        .map(({ id, key, title }) => ({ value: String(id), label: `${key} ${title}` })),
    [data],
  );
}

const SHARED_FILTERS: [FilterName, string, Choice<string>[]][] = [
  [
    "type",
    "Type",
    ([0, 1] as const).map((type) => ({
      value: String(type),
      label: TYPE_WORDS[type],
      icon: <TypeIcon type={type} />,
    })),
  ],
  [
    "priority",
    "Priority",
    PRIORITY_WORDS.map((label, priority) => ({
      value: String(priority),
      label,
      icon: <PriorityIcon priority={priority} />,
    })),
  ],
  [
    "due",
    "Due",
    [
      { value: "overdue", label: "Overdue" },
      { value: "today", label: "Today" },
      { value: "week", label: "Within 7 days" },
      { value: "none", label: "No due date" },
    ],
  ],
];

/** Only the filters whose values are the same in every project. */
export function SharedFilterBar(props: Props) {
  return <Filters {...props} filters={SHARED_FILTERS} />;
}

function Filters({
  search,
  set,
  clear,
  filters,
}: Props & { filters: readonly [FilterName, string, Choice<string>[]][] }) {
  return (
    <div role="group" aria-label="Filters" className="contents">
      <FilterRow
        filters={filters.map(([name, label, choices]) =>
          pickFilter({
            name,
            label,
            choices,
            value: search[name],
            onChange: (value) => set({ [name]: value }),
          }),
        )}
      />
      {isFiltered(search) && (
        <Button size="sm" variant="quiet" icon={X} onClick={clear}>
          <span className={TOOL_TEXT}>Clear filters</span>
        </Button>
      )}
    </div>
  );
}

/** Filters by words. Uncontrolled while it has the focus, because the address lags behind the typing. */
export function TextFilter({ search, set }: Pick<Props, "search" | "set">) {
  const input = useRef<HTMLInputElement>(null);
  const value = search.query ?? "";
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = value;
  }, [value]);
  return (
    <ToolSearch>
      <Input
        ref={input}
        icon={Search}
        type="search"
        aria-label="Filter by text"
        placeholder="Title or key"
        defaultValue={value}
        maxLength={255}
        onChange={(event) => set({ query: event.target.value || undefined })}
      />
    </ToolSearch>
  );
}
