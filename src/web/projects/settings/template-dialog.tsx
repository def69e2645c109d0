import { useState } from "react";
import type { IssueTemplate } from "../../../shared/issue-templates.ts";
import type { Project } from "../../../shared/projects.ts";
import { issueTemplates } from "../../data/projects/project-parts.ts";
import { useLanes } from "../../data/projects/lanes.ts";
import { MarkdownEditor } from "../../editor/markdown-editor.tsx";
import { changesOf, isChanged, orNull } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { LaneIcon } from "../../issues/option-icons.tsx";
import { LabelPicker, PriorityPicker, TypePicker } from "../../issues/pickers.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";

/** The server accepts descriptions of up to this many code points. */
const MAX_TEXT = 10_000;

type TemplateProps = { project: Project; template?: IssueTemplate | undefined; onClose: () => void };

/** Creates an issue template, or edits one. */
export function TemplateDialog({ project, template, onClose }: TemplateProps) {
  const { form, change, save, dirty, submit } = useTemplateForm({ project, template, onClose });
  const error = (field: string) => errorOf(save.error, field);
  return (
    <FormDialog
      title={template ? `Edit ${template.name}` : "Add template"}
      submit={template ? "Save" : "Add template"}
      size="lg"
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={Object.keys(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" required error={error("name")}>
        <Input
          value={form.name}
          required
          maxLength={60}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label="Title of the issue" optional error={error("title")}>
        <Input
          value={form.title}
          maxLength={255}
          autoComplete="off"
          onChange={(event) => change({ title: event.target.value })}
        />
      </Field>
      <Field label="Description of the issue" optional error={error("description")}>
        <MarkdownEditor
          value={form.description}
          max={MAX_TEXT}
          rows={8}
          projectId={project.id}
          onChange={(description) => change({ description })}
          onSubmit={submit}
        />
      </Field>
      <Properties projectId={project.id} form={form} change={change} error={error} />
      <Checkbox
        label="Use by default"
        hint="The dialog for a new issue starts with this template."
        checked={form.is_default}
        onChange={(event) => change({ is_default: event.target.checked })}
      />
    </FormDialog>
  );
}

/** The template as it is edited, and how it is saved. */
function useTemplateForm({ project, template, onClose }: TemplateProps) {
  const [start] = useState(() => ({
    name: template?.name ?? "",
    title: template?.title ?? "",
    description: template?.description ?? "",
    type: template?.type ?? 0,
    priority: template?.priority ?? 2,
    lane_id: template?.lane_id ?? null,
    label_ids: template?.label_ids ?? [],
    is_default: template?.is_default ?? false,
  }));
  const [form, setForm] = useState(start);
  const save = useSend({
    send: () => {
      const toBody = ({ title, description, ...others }: Partial<typeof form>) => ({
        ...others,
        ...(title !== undefined && { title: orNull(title) }),
        ...(description !== undefined && { description: orNull(description) }),
      });
      return template
        ? issueTemplates.change(project.id, template.id, toBody(changesOf(start, form)))
        : issueTemplates.add(project.id, { ...toBody(form), name: form.name });
    },
    stale: [["issue_template", project.id]],
    onDone: onClose,
  });
  const dirty = isChanged(start, form);
  const change = (changes: Partial<typeof form>) => {
    // The error is about what was sent.
    save.reset();
    setForm({ ...form, ...changes });
  };
  const submit = () => {
    if (save.isPending) return;
    if (dirty || !template) save.mutate();
    else onClose();
  };
  return { form, change, save, dirty, submit };
}

type Form = ReturnType<typeof useTemplateForm>["form"];

type PropertiesProps = {
  projectId: number;
  form: Form;
  change: (changes: Partial<Form>) => void;
  error: (field: keyof Form) => string | undefined;
};

function Properties({ projectId, form, change, error }: PropertiesProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Lane" error={error("lane_id")}>
        <LaneOrFirst projectId={projectId} value={form.lane_id} onChange={(lane_id) => change({ lane_id })} />
      </Field>
      <Field label="Type" error={error("type")}>
        <TypePicker projectId={projectId} value={form.type} onChange={(type) => change({ type })} />
      </Field>
      <Field label="Priority" error={error("priority")}>
        <PriorityPicker
          projectId={projectId}
          value={form.priority}
          onChange={(priority) => change({ priority })}
        />
      </Field>
      <Field label="Labels" error={error("label_ids")}>
        <LabelPicker
          projectId={projectId}
          value={form.label_ids}
          onChange={(label_ids) => change({ label_ids })}
        />
      </Field>
    </div>
  );
}

type LaneProps = { projectId: number; value: number | null; onChange: (laneId: number | null) => void };

function LaneOrFirst({ projectId, value, onChange }: LaneProps) {
  const choices = useLanes(projectId).map(({ id, name, kind }) => ({
    value: id,
    label: name,
    icon: <LaneIcon kind={kind} />,
  }));
  return <Combobox label="Lane" none="First lane" value={value} choices={choices} onChange={onChange} />;
}
