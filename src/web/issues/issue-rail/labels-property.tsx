import type { Issue } from "../../../shared/issues.ts";
import { Badge } from "../../kit/badge.tsx";
import { LabelPicker } from "../pickers.tsx";
import type { IssueNames } from "../../data/projects/use-issue-names.ts";
import { None, railButton } from "./property.tsx";

type Props = {
  issue: Issue;
  issueNames: IssueNames;
  editable: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onChange: (labelIds: number[]) => void;
};

/** The labels. Each choice is saved at once. */
export function LabelsProperty({ issue, issueNames, editable, open, onOpenChange, onChange }: Props) {
  const labels = issue.label_ids.map(issueNames.label).filter((label) => label !== undefined);
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
  return (
    <LabelPicker
      projectId={issue.project_id}
      trigger={railButton("Labels", value, { shortcut: "L" })}
      open={open}
      onOpenChange={onOpenChange}
      value={issue.label_ids}
      onChange={onChange}
    />
  );
}
