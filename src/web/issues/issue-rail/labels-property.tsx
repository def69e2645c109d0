import { useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { Badge } from "../../kit/badge.tsx";
import { LabelPicker } from "../pickers.tsx";
import type { Lookup } from "../../data/use-known.ts";
import { None, railButton } from "./property.tsx";

type Props = {
  issue: Issue;
  known: Lookup;
  editable: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onChange: (labelIds: number[]) => void;
};

/** The labels, saved in one request when the picker closes. */
export function LabelsProperty({ issue, known, editable, open, onOpenChange, onChange }: Props) {
  const [chosen, setChosen] = useState<number[]>();
  const ids = chosen ?? issue.label_ids;
  const labels = ids.map(known.label).filter((label) => label !== undefined);
  const value =
    labels.length === 0 ? (
      <None>No labels</None>
    ) : (
      <span className="flex min-w-0 flex-wrap gap-1 py-0.5">
        {labels.map(({ id, name, color }) => (
          <Badge key={id} dot={color}>
            {name}
          </Badge>
        ))}
      </span>
    );
  if (!editable) return value;
  const toggle = (next: boolean) => {
    if (!next && chosen !== undefined) {
      if (!sameIds(chosen, issue.label_ids)) onChange(chosen);
      setChosen(undefined);
    }
    onOpenChange(next);
  };
  return (
    <LabelPicker
      projectId={issue.project_id}
      trigger={railButton("Labels", value, { shortcut: "L" })}
      open={open}
      onOpenChange={toggle}
      value={ids}
      onChange={setChosen}
    />
  );
}

const sameIds = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));
