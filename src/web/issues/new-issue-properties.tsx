import type { Project } from "../../shared/projects.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { can } from "../data/projects/projects.ts";
import { DateInput } from "../kit/dates/date-input.tsx";
import { Field } from "../kit/field.tsx";
import { EstimateInput } from "../marks/estimate-input.tsx";
import { IssuePicker } from "./issue-picker.tsx";
import type { Draft } from "./new-issue-draft.ts";
import {
  AssigneePicker,
  EpicPicker,
  LabelPicker,
  LanePicker,
  PriorityPicker,
  SprintPicker,
  TypePicker,
} from "./pickers.tsx";

type Props = {
  project: Project;
  draft: Draft;
  set: (changes: Partial<Draft>) => void;
  errors: Record<string, string | undefined>;
};

/** The properties of a new issue. Without a lane, it is added to the first one. */
export function NewIssueProperties({ project, draft, set, errors }: Props) {
  const projectId = project.id;
  const [firstLane] = useLanes(projectId);
  return (
    <div className={GRID}>
      <Field label="Lane" error={errors["lane_id"]}>
        <LanePicker
          projectId={projectId}
          value={draft.laneId ?? firstLane?.id ?? null}
          onChange={(laneId) => set({ laneId })}
        />
      </Field>
      <Field label="Assignee" error={errors["assignee_id"]}>
        <AssigneePicker
          projectId={projectId}
          value={draft.assigneeId}
          onChange={(assigneeId) => set({ assigneeId })}
        />
      </Field>
      <Field label="Type" error={errors["type"]}>
        <TypePicker projectId={projectId} value={draft.type} onChange={(type) => set({ type })} />
      </Field>
      <Field label="Priority" error={errors["priority"]}>
        <PriorityPicker
          projectId={projectId}
          value={draft.priority}
          onChange={(priority) => set({ priority })}
        />
      </Field>
      <Field label="Labels" error={errors["label_ids"]}>
        <LabelPicker
          projectId={projectId}
          value={draft.labelIds}
          onChange={(labelIds) => set({ labelIds })}
        />
      </Field>
      <Field label="Estimate" optional error={errors["estimated_minutes"]}>
        <EstimateInput value={draft.estimate} onChange={(event) => set({ estimate: event.target.value })} />
      </Field>
      <Field label="Sprint" error={errors["sprint_id"]}>
        <SprintPicker
          projectId={projectId}
          value={draft.sprintId}
          onChange={(sprintId) => set({ sprintId })}
        />
      </Field>
      <Field label="Epic" error={errors["epic_id"]}>
        <EpicPicker projectId={projectId} value={draft.epicId} onChange={(epicId) => set({ epicId })} />
      </Field>
      <Field label="Due" optional error={errors["due_on"]}>
        <DateInput value={draft.dueOn} onChange={(dueOn) => set({ dueOn })} />
      </Field>
      {can(project, "issues:read") && (
        <Field label="Parent" error={errors["parent_id"]}>
          <IssuePicker
            project={project}
            label="Parent"
            none="No parent"
            value={draft.parentId}
            onChange={(parentId) => set({ parentId })}
          />
        </Field>
      )}
    </div>
  );
}

/** Takes the room of the properties until they are rendered. */
export function PropertiesPlace({ project }: { project: Project }) {
  const fields = can(project, "issues:read") ? 10 : 9;
  return (
    <div className={GRID}>
      {Array.from({ length: fields }, (_, field) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order never changes
        <div key={field} className="h-14" />
      ))}
    </div>
  );
}

const GRID = "grid gap-3 sm:grid-cols-2";
