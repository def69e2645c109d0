import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import type { Project } from "../../shared/projects.ts";
import { ApiError, messageOf } from "../api/client.ts";
import type { AppDialog } from "../page/open-dialog.ts";
import { issueTemplatesQuery } from "../data/issue-templates.ts";
import { can } from "../data/projects.ts";
import { useProfile } from "../data/session.ts";
import { Button } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { announce } from "../kit/live-region.ts";
import { draftFilesPath, STILL_UPLOADING } from "../editor/draft-files.ts";
import { isUploading } from "../editor/upload-text.ts";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { toast } from "../kit/toast.ts";
import { ESTIMATE_ERROR, parseEstimate } from "../kit/estimate.ts";
import { fieldsOf, isWritten, withTemplate } from "./draft-templates.ts";
import { deleteDraft, type Draft, EMPTY_DRAFT, hasText, saveDraft, readDraft } from "./new-issue-draft.ts";
import { NewIssueProperties } from "./new-issue-properties.tsx";
import { TemplatePicker } from "./template-picker.tsx";
import { type NewIssue, useCreateIssue } from "../data/issues.ts";

type Props = {
  project: Project;
  projects: readonly Project[];
  onProject: (id: number) => void;
  start: Extract<AppDialog, { kind: "new-issue" }>;
  onClose: () => void;
};

const FORM = "new-issue";
/** Fields that show their own error. Other errors are shown above the form. */
const FIELDS = new Set([
  "title",
  "description",
  "type",
  "priority",
  "lane_id",
  "assignee_id",
  "label_ids",
  "sprint_id",
  "epic_id",
  "estimated_minutes",
  "due_on",
  "parent_id",
]);

export function NewIssueForm({ project, projects, onProject, start, onClose }: Props) {
  const navigate = useNavigate();
  const me = useProfile().id;
  const create = useCreateIssue(project.id);
  const title = useRef<HTMLInputElement>(null);
  const templates = useTemplates(project);
  /** Undefined until the user changes something: the dialog starts with the default template, also if it arrives late. */
  const [changed, setChanged] = useState(() => {
    const stored = readDraft(me, project.id);
    return hasText(stored) ? withStart(stored, start) : undefined;
  });
  const first = templates.find(({ is_default }) => is_default);
  const draft = changed ?? withStart(withTemplate(EMPTY_DRAFT, undefined, first), start);
  const template = templates.find(({ id }) => id === draft.templateId);
  const [another, setAnother] = useState(false);
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});

  const set = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    setChanged(next);
    if (
      isWritten(
        next,
        templates.find(({ id }) => id === next.templateId),
      )
    )
      saveDraft(me, project.id, next);
    else deleteDraft(me, project.id);
  };
  const submit = () => {
    if (create.isPending) return;
    const minutes = parseEstimate(draft.estimate);
    const invalid = {
      title: draft.title.trim() === "" ? "Enter a title." : undefined,
      description: isUploading(draft.description) ? STILL_UPLOADING : undefined,
      estimated_minutes: minutes === undefined ? ESTIMATE_ERROR : undefined,
    };
    setErrors(invalid);
    if (invalid.title) title.current?.focus();
    if (invalid.title || invalid.description || minutes === undefined) return;
    // mutateAsync, because the callbacks of mutate do not run once the dialog is closed.
    create.mutateAsync(bodyOf(draft, minutes)).then(onCreated, onFailed);
  };
  const isOpen = () => title.current !== null;
  const onCreated = ({ id, key, title: name }: Issue) => {
    toast({
      subjects: [`issue:${id}`],
      title: `${key} created`,
      description: name,
      tone: "success",
      action: {
        label: `Open ${key}`,
        onSelect: () =>
          void navigate({
            to: "/projects/$projectKey/issues/$issueKey",
            params: { projectKey: project.key, issueKey: key },
          }),
      },
    });
    // Keep a draft that was started in a reopened dialog since.
    if (isOpen() || readDraft(me, project.id).title === draft.title) deleteDraft(me, project.id);
    if (!isOpen()) return;
    if (!another) return onClose();
    announce(`${key} created. You can enter another one.`);
    const { title: text, description } = fieldsOf(template);
    setChanged({ ...draft, title: text, description, estimate: "" });
    title.current?.focus();
  };
  const onFailed = (error: unknown) => {
    if (isOpen()) return setErrors(errorsOf(error));
    toast({
      title: `“${draft.title.trim()}” was not created. It was saved as a draft.`,
      description: messageOf(error),
      tone: "danger",
    });
  };

  const isWaitOver = errors["description"] === STILL_UPLOADING && !isUploading(draft.description);
  const descriptionError = isWaitOver ? undefined : errors["description"];

  return (
    <Dialog
      open
      onClose={onClose}
      title="New issue"
      size="lg"
      initialFocus={title}
      footer={
        <>
          <Checkbox
            label="Create another"
            className="me-auto"
            checked={another}
            onChange={(event) => setAnother(event.target.checked)}
          />
          {isWritten(draft, template) && (
            <Button
              variant="quiet"
              onClick={() => {
                setChanged(undefined);
                deleteDraft(me, project.id);
                setErrors({});
                title.current?.focus();
              }}
            >
              Discard draft
            </Button>
          )}
          <Button variant="primary" type="submit" form={FORM} busy={create.isPending} shortcut="mod+Enter">
            Create issue
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormError>{errors["form"]}</FormError>
        {(projects.length > 1 || templates.length > 0) && (
          <div className="flex gap-3 *:min-w-0 *:flex-1 max-sm:flex-col">
            {projects.length > 1 && (
              <Field label="Project">
                <Combobox
                  label="Project"
                  value={project.id}
                  choices={projects.map(({ id, name, key }) => ({ value: id, label: name, hint: key }))}
                  onChange={(id) => id !== null && onProject(id)}
                />
              </Field>
            )}
            {templates.length > 0 && <TemplatePicker templates={templates} draft={draft} onChange={set} />}
          </div>
        )}
        <Field label="Title" required error={errors["title"]}>
          <Input
            ref={title}
            value={draft.title}
            maxLength={255}
            autoComplete="off"
            onChange={(event) => set({ title: event.target.value })}
          />
        </Field>
        <Field label="Description" optional error={descriptionError}>
          <MarkdownEditor
            attachPath={draftFilesPath(project)}
            value={draft.description}
            max={65_535}
            rows={3}
            projectId={project.id}
            onChange={(description) => set({ description })}
            onSubmit={submit}
          />
        </Field>
        <NewIssueProperties project={project} draft={draft} set={set} errors={errors} />
      </form>
    </Dialog>
  );
}

const NO_TEMPLATES: readonly IssueTemplate[] = [];

const useTemplates = (project: Project): readonly IssueTemplate[] =>
  useQuery({ ...issueTemplatesQuery(project.id), enabled: can(project, "issues:read") }).data ?? NO_TEMPLATES;

/** Values from where the dialog was opened take precedence over the draft. */
function withStart(draft: Draft, { laneId, epicId, sprintId }: Props["start"]): Draft {
  return {
    ...draft,
    laneId: laneId ?? draft.laneId,
    epicId: epicId ?? draft.epicId,
    sprintId: sprintId ?? draft.sprintId,
  };
}

function bodyOf(draft: Draft, minutes: number | null): NewIssue {
  return {
    title: draft.title.trim(),
    description: draft.description.trim() === "" ? null : draft.description,
    type: draft.type,
    priority: draft.priority,
    lane_id: draft.laneId,
    assignee_id: draft.assigneeId,
    label_ids: draft.labelIds,
    sprint_id: draft.sprintId,
    epic_id: draft.epicId,
    estimated_minutes: minutes,
    due_on: draft.dueOn,
    parent_id: draft.parentId,
  };
}

function errorsOf(error: unknown): Record<string, string | undefined> {
  if (!(error instanceof ApiError) || Object.keys(error.errors).length === 0)
    return { form: messageOf(error) };
  const byField: Record<string, string | undefined> = {};
  for (const name of Object.keys(error.errors)) {
    const field = name.replace(/\.\d+$/, "");
    if (FIELDS.has(field)) byField[field] = error.of(name);
    else byField["form"] = messageOf(error);
  }
  return byField;
}
