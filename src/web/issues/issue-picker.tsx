import { type ReactElement, useDeferredValue, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { useFindIssues, useIssuesById } from "../data/issue-relations.ts";
import { useLanes } from "../data/lanes.ts";
import { Combobox } from "../kit/combobox.tsx";
import { LaneIcon } from "./option-icons.tsx";

type Props = {
  project: Project;
  label: string;
  /** The label of the empty choice. */
  none: string;
  value: number | null;
  onChange: (id: number | null) => void;
  /** An issue that is not offered. */
  except?: number;
  /** Opens the picker, instead of a field. */
  trigger?: ReactElement<Record<string, unknown>>;
};

/** One issue of the project, found by its key or words of its title. */
export function IssuePicker({ project, label, none, value, onChange, except, trigger }: Props) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const chosen = useIssuesById(project.id, value === null ? NO_ONE : [value]).of(value ?? 0);
  const found = useFindIssues(project.id, project.key, useDeferredValue(query), open);
  const lanes = useLanes(project.id);
  const issues = found.data ?? [];
  const isFound = chosen === undefined || issues.some(({ id }) => id === chosen.id);
  return (
    <Combobox
      label={label}
      value={value}
      none={none}
      choices={[...(isFound ? [] : [chosen]), ...issues]
        .filter(({ id }) => id !== except)
        .map(({ id, key, title, lane_id }) => ({
          value: id,
          label: `${key} ${title}`,
          icon: <LaneIcon kind={lanes.find((lane) => lane.id === lane_id)?.kind ?? "todo"} />,
        }))}
      busy={found.isFetching}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setQuery("");
      }}
      onSearch={setQuery}
      onChange={onChange}
      {...(trigger === undefined ? {} : { trigger })}
    />
  );
}

const NO_ONE: number[] = [];
