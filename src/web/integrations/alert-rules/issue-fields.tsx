import type { AlertAction } from "../../data/integrations/alert-rules.ts";
import type { Lane } from "../../../shared/lanes.ts";
import type { Choice } from "../../kit/choice.ts";
import { Combobox } from "../../kit/combobox.tsx";
import { Field } from "../../kit/field.tsx";
import { PRIORITY_WORDS } from "../../marks/priority-mark.tsx";

type IssueAction = Extract<AlertAction, { to: "issue" }>;

type Props = {
  action: IssueAction;
  set: (action: IssueAction) => void;
  lanes: readonly Lane[];
  people: readonly Choice<number>[];
};

/** The properties of the issue that a rule creates. */
export function IssueFields({ action, set, lanes, people }: Props) {
  const change = (field: "lane_id" | "assignee_id" | "priority") => (value: number | null) => {
    const { [field]: _, ...others } = action;
    set(value === null ? others : { ...others, [field]: value });
  };
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Field label="Lane">
        <Combobox
          none="The default"
          choices={lanes.map(({ id, name }) => ({ value: id, label: name }))}
          value={action.lane_id ?? null}
          onChange={change("lane_id")}
        />
      </Field>
      <Field label="Assignee">
        <Combobox
          none="Nobody"
          choices={people}
          value={action.assignee_id ?? null}
          onChange={change("assignee_id")}
        />
      </Field>
      <Field label="Priority">
        <Combobox
          none="The default"
          choices={PRIORITY_WORDS.map((label, value) => ({ value, label }))}
          value={action.priority ?? null}
          onChange={change("priority")}
        />
      </Field>
    </div>
  );
}
