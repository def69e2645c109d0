import { can, useProjects } from "../data/projects/projects.ts";
import {
  AssigneePicker,
  EpicPicker,
  LabelPicker,
  LanePicker,
  PriorityPicker,
  TypePicker,
} from "../issues/pickers.tsx";
import { Field } from "../kit/field.tsx";
import type { PromoteFields } from "./promote-fields.ts";

type Props = {
  projectId: number;
  fields: PromoteFields & { type: 0 | 1 };
  onChange: (changes: Partial<PromoteFields>) => void;
  errorOf: (field: string) => string | undefined;
  /** Set it where the values explain themselves. */
  hideLabels?: boolean;
};

/** The properties that most new issues need. */
export function MainFields({ projectId, fields, onChange, errorOf, hideLabels = false }: Props) {
  const project = useProjects().find(({ id }) => id === projectId);
  return (
    <>
      <Field label="Lane" hideLabel={hideLabels} error={errorOf("lane_id")}>
        <LanePicker
          projectId={projectId}
          value={fields.lane_id}
          onChange={(lane_id) => onChange({ lane_id })}
        />
      </Field>
      <Field label="Type" hideLabel={hideLabels} error={errorOf("type")}>
        <TypePicker projectId={projectId} value={fields.type} onChange={(type) => onChange({ type })} />
      </Field>
      <Field label="Priority" hideLabel={hideLabels} error={errorOf("priority")}>
        <PriorityPicker
          projectId={projectId}
          value={fields.priority}
          onChange={(priority) => onChange({ priority })}
        />
      </Field>
      <Field label="Assignee" hideLabel={hideLabels} error={errorOf("assignee_id")}>
        <AssigneePicker
          projectId={projectId}
          value={fields.assignee_id}
          onChange={(assignee_id) => onChange({ assignee_id })}
        />
      </Field>
      <Field label="Labels" hideLabel={hideLabels} error={errorOf("label_ids")}>
        <LabelPicker
          projectId={projectId}
          value={fields.label_ids}
          onChange={(label_ids) => onChange({ label_ids })}
        />
      </Field>
      {project !== undefined && can(project, "epics:read") && (
        <Field label="Epic" hideLabel={hideLabels} error={errorOf("epic_id")}>
          <EpicPicker
            projectId={projectId}
            value={fields.epic_id}
            onChange={(epic_id) => onChange({ epic_id })}
          />
        </Field>
      )}
    </>
  );
}
