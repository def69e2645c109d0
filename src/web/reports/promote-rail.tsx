import { useProjects, can } from "../data/projects.ts";
import {
  AssigneePicker,
  EpicPicker,
  LabelPicker,
  LanePicker,
  PriorityPicker,
  SprintPicker,
  TypePicker,
} from "../issues/pickers.tsx";
import { Field } from "../kit/field.tsx";
import { EstimateInput } from "../kit/estimate-input.tsx";
import { IssuesPicker } from "./issues-picker.tsx";

/** All fields except title and description. `estimate` is the text entered. */
export type PromoteFields = {
  /** null for the first lane. */
  lane_id: number | null;
  priority: number;
  type: 0 | 1;
  assignee_id: number | null;
  sprint_id: number | null;
  epic_id: number | null;
  estimate: string;
  label_ids: number[];
  blocked_by_ids: number[];
  blocks_ids: number[];
};

/** The server's defaults. */
export const DEFAULT_FIELDS: PromoteFields = {
  lane_id: null,
  priority: 2,
  type: 0,
  assignee_id: null,
  sprint_id: null,
  epic_id: null,
  estimate: "",
  label_ids: [],
  blocked_by_ids: [],
  blocks_ids: [],
};

type Props = {
  projectId: number;
  fields: PromoteFields;
  onChange: (changes: Partial<PromoteFields>) => void;
  errorOf: (field: string) => string | undefined;
};

/** The properties of the new issue. */
export function PromoteRail({ projectId, fields, onChange, errorOf }: Props) {
  const project = useProjects().find(({ id }) => id === projectId);
  const readsEpics = project !== undefined && can(project, "epics:read");
  const readsIssues = project !== undefined && can(project, "issues:read");
  return (
    <div className="grid min-w-0 content-start gap-3 max-sm:grid-cols-2 max-[420px]:grid-cols-1">
      <Field label="Lane" error={errorOf("lane_id")}>
        <LanePicker
          projectId={projectId}
          value={fields.lane_id}
          onChange={(lane_id) => onChange({ lane_id })}
        />
      </Field>
      <Field label="Type" error={errorOf("type")}>
        <TypePicker projectId={projectId} value={fields.type} onChange={(type) => onChange({ type })} />
      </Field>
      <Field label="Priority" error={errorOf("priority")}>
        <PriorityPicker
          projectId={projectId}
          value={fields.priority}
          onChange={(priority) => onChange({ priority })}
        />
      </Field>
      <Field label="Assignee" error={errorOf("assignee_id")}>
        <AssigneePicker
          projectId={projectId}
          value={fields.assignee_id}
          onChange={(assignee_id) => onChange({ assignee_id })}
        />
      </Field>
      <Field label="Labels" error={errorOf("label_ids")}>
        <LabelPicker
          projectId={projectId}
          value={fields.label_ids}
          onChange={(label_ids) => onChange({ label_ids })}
        />
      </Field>
      <Field label="Sprint" error={errorOf("sprint_id")}>
        <SprintPicker
          projectId={projectId}
          value={fields.sprint_id}
          onChange={(sprint_id) => onChange({ sprint_id })}
        />
      </Field>
      {readsEpics && (
        <Field label="Epic" error={errorOf("epic_id")}>
          <EpicPicker
            projectId={projectId}
            value={fields.epic_id}
            onChange={(epic_id) => onChange({ epic_id })}
          />
        </Field>
      )}
      <Field label="Estimate" error={errorOf("estimated_minutes")}>
        <EstimateInput
          value={fields.estimate}
          onChange={(event) => onChange({ estimate: event.target.value })}
        />
      </Field>
      {readsIssues && (
        <>
          <Field label="Blocked by" error={errorOf("blocked_by_ids")}>
            <IssuesPicker
              projectId={projectId}
              label="Blocked by"
              value={fields.blocked_by_ids}
              onChange={(blocked_by_ids) => onChange({ blocked_by_ids })}
            />
          </Field>
          <Field label="Blocks" error={errorOf("blocks_ids")}>
            <IssuesPicker
              projectId={projectId}
              label="Blocks"
              value={fields.blocks_ids}
              onChange={(blocks_ids) => onChange({ blocks_ids })}
            />
          </Field>
        </>
      )}
    </div>
  );
}
