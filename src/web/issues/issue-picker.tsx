import { type ReactElement, useDeferredValue, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { useFindIssues, useIssuesById } from "../data/issues/issue-relations.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { Combobox } from "../kit/combobox.tsx";
import { LaneIcon } from "./option-icons.tsx";

type Props = {
  project: Project;
  label: string;
  /** The label of the empty choice, if there is one. */
  none?: string;
  value: number | null;
  onChange: (id: number | null) => void;
  /** Issues that are not offered. */
  except?: readonly number[];
  /** Opens the picker, instead of a field. */
  trigger?: ReactElement<Record<string, unknown>>;
  /** For callers that open the picker by other means than its trigger. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Where the popup opens and the focus returns to, if not at the trigger. */
  anchor?: HTMLElement | null;
};

/** One issue of the project, found by its key or words of its title. */
export function IssuePicker({ project, label, value, except = NO_ONE, ...rest }: Props) {
  const [ownOpen, setOwnOpen] = useState(false);
  const { open = ownOpen, onOpenChange = setOwnOpen } = rest;
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
      choices={[...(isFound ? [] : [chosen]), ...issues]
        .filter(({ id }) => !except.includes(id))
        .map(({ id, key, title, lane_id }) => ({
          value: id,
          label: `${key} ${title}`,
          icon: <LaneIcon kind={lanes.find((lane) => lane.id === lane_id)?.kind ?? "todo"} />,
        }))}
      {...rest}
      busy={found.isFetching}
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) setQuery("");
      }}
      onSearch={setQuery}
    />
  );
}

const NO_ONE: readonly number[] = [];
