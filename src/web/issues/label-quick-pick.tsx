import { type ReactElement, useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { LabelPicker } from "./pickers.tsx";
import type { ChangeIssues } from "../data/issues/use-bulk-change.ts";

type Props = {
  issues: readonly Issue[];
  onChange: ChangeIssues;
  projectId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactElement<Record<string, unknown>>;
};

/** A choice that adds labels to all issues, or removes them from all. */
type Choice = { added: readonly number[]; removed: readonly number[] };

/** Shows the labels that all issues have. Each choice is saved at once, after those before it. */
export function LabelQuickPick({ issues, onChange, ...shared }: Props) {
  // A label that is being created is chosen after the picker may have closed, so these outlive it.
  const saved = useRef(issues);
  const pending = useRef<Choice[]>([]);
  const saving = useRef(Promise.resolve());
  const [shown, setShown] = useState(() => labelsOfAll(issues));

  const show = () =>
    setShown(pending.current.reduce((ids, choice) => withChoice(ids, choice), labelsOfAll(saved.current)));
  const save = async (choice: Choice) => {
    const changed = await onChange(saved.current, ({ label_ids }) => ({
      label_ids: withChoice(label_ids, choice),
    }));
    saved.current = saved.current.map((issue) => changed.find(({ id }) => id === issue.id) ?? issue);
    pending.current = pending.current.filter((one) => one !== choice);
    show();
  };
  const choose = (ids: readonly number[]) => {
    const choice = {
      added: ids.filter((id) => !shown.includes(id)),
      removed: shown.filter((id) => !ids.includes(id)),
    };
    pending.current.push(choice);
    saving.current = saving.current.then(() => save(choice));
    show();
  };
  return <LabelPicker {...shared} value={shown} onChange={choose} />;
}

const withChoice = (ids: readonly number[], { added, removed }: Choice): number[] =>
  [...new Set([...ids, ...added])].filter((id) => !removed.includes(id));

function labelsOfAll([first, ...rest]: readonly Issue[]): readonly number[] {
  return first?.label_ids.filter((id) => rest.every(({ label_ids }) => label_ids.includes(id))) ?? [];
}
