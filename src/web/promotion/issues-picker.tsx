import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { issuesQuery } from "../data/issues/issues.ts";
import { MultiCombobox } from "../kit/combobox.tsx";

type Props = {
  projectId: number;
  label: string;
  value: readonly number[];
  onChange: (value: number[]) => void;
};

/** Picks issues of the project by key or title. They are loaded when it is first opened. */
export function IssuesPicker({ projectId, label, value, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const [needed, setNeeded] = useState(false);
  const { data, isFetching } = useQuery({ ...issuesQuery(projectId), enabled: needed });
  const choices = useMemo(
    () => (data ?? []).map(({ id, key, title }) => ({ value: id, label: `${key} ${title}` })),
    [data],
  );
  return (
    <MultiCombobox
      label={label}
      placeholder="No issues"
      choices={choices}
      value={value}
      onChange={onChange}
      busy={isFetching && data === undefined}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setNeeded(true);
      }}
    />
  );
}
