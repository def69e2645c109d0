import { useProjects, can } from "../data/projects/projects.ts";
import { SprintPicker } from "../issues/pickers.tsx";
import { Field } from "../kit/field.tsx";
import { EstimateInput } from "../marks/estimate-input.tsx";
import { IssuesPicker } from "./issues-picker.tsx";
import { MainFields } from "./main-fields.tsx";
import type { PromoteFields } from "./promote-fields.ts";

type Props = {
  projectId: number;
  fields: PromoteFields & { type: 0 | 1 };
  onChange: (changes: Partial<PromoteFields>) => void;
  errorOf: (field: string) => string | undefined;
};

/** The properties of the new issue. */
export function PromoteRail({ projectId, fields, onChange, errorOf }: Props) {
  const project = useProjects().find(({ id }) => id === projectId);
  const readsIssues = project !== undefined && can(project, "issues:read");
  return (
    <div className="grid min-w-0 content-start gap-3 max-sm:grid-cols-2 max-[420px]:grid-cols-1">
      <MainFields projectId={projectId} fields={fields} onChange={onChange} errorOf={errorOf} />
      <Field label="Sprint" error={errorOf("sprint_id")}>
        <SprintPicker
          projectId={projectId}
          value={fields.sprint_id}
          onChange={(sprint_id) => onChange({ sprint_id })}
        />
      </Field>
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
