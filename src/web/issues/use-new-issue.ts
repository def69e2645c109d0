import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import type { Project } from "../../shared/projects.ts";
import { issueTemplatesQuery } from "../data/issues/issue-templates.ts";
import { type NewIssue, useCreateIssue } from "../data/issues/create-issue.ts";
import { can } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { STILL_UPLOADING } from "../editor/draft-files.ts";
import { isUploading } from "../editor/upload-text.ts";
import { showFailure } from "../forms/show-failure.ts";
import { ESTIMATE_ERROR, parseEstimate } from "../marks/estimate.ts";
import { announce } from "../kit/notices/live-region.ts";
import { toast } from "../kit/notices/toast.ts";
import type { AppDialog } from "../page/open-dialog.ts";
import { fieldsOf, isWritten, withTemplate } from "./draft-templates.ts";
import { deleteDraft, type Draft, EMPTY_DRAFT, hasText, readDraft, saveDraft } from "./new-issue-draft.ts";
import { errorsOf, type NewIssueErrors } from "./new-issue-errors.ts";

type Start = Extract<AppDialog, { kind: "new-issue" }>;

/** The draft of a new issue, its template and its errors, and how it is created. */
export function useNewIssue(project: Project, start: Start, onClose: () => void) {
  const navigate = useNavigate();
  const me = useProfile().id;
  const create = useCreateIssue(project.id);
  const title = useRef<HTMLInputElement>(null);
  const { templates, template, draft, set, keep, discard } = useNewIssueDraft(project, start);
  const [another, setAnother] = useState(false);
  const [errors, setErrors] = useState<NewIssueErrors>({});

  const submit = () => {
    if (create.isPending) return;
    const minutes = parseEstimate(draft.estimate);
    const invalid = invalidFields(draft, minutes);
    setErrors(invalid);
    if (invalid.title) title.current?.focus();
    if (invalid.title || invalid.description || minutes === undefined) return;
    // mutateAsync, because the callbacks of mutate do not run once the dialog is closed.
    create.mutateAsync(bodyOf(draft, minutes)).then(onCreated, onFailed);
  };
  const isOpen = () => title.current !== null;
  const onCreated = (issue: Issue) => {
    const { key } = issue;
    const params = { projectKey: project.key, issueKey: key };
    toastCreated(issue, () => void navigate({ to: "/projects/$projectKey/issues/$issueKey", params }));
    // Keep a draft that was started in a reopened dialog since.
    if (isOpen() || readDraft(me, project.id).title === draft.title) deleteDraft(me, project.id);
    if (!isOpen()) return;
    if (!another) return onClose();
    announce(`${key} created. You can enter another one.`);
    const { title: text, description } = fieldsOf(template);
    keep({ ...draft, title: text, description, estimate: "" });
    title.current?.focus();
  };
  const onFailed = (error: unknown) => {
    if (isOpen()) return setErrors(errorsOf(error));
    showFailure(`“${draft.title.trim()}” could not be created. It was saved as a draft`, error);
  };

  const isWaitOver = errors["description"] === STILL_UPLOADING && !isUploading(draft.description);
  const shownErrors: NewIssueErrors = isWaitOver ? { ...errors, description: undefined } : errors;

  return {
    title,
    templates,
    draft,
    isWritten: isWritten(draft, template),
    errors: shownErrors,
    another,
    setAnother,
    set,
    discard: () => {
      discard();
      setErrors({});
      title.current?.focus();
    },
    submit,
    isBusy: create.isPending,
  };
}

const invalidFields = (draft: Draft, minutes: number | null | undefined) => ({
  title: draft.title.trim() === "" ? "Enter a title." : undefined,
  description: isUploading(draft.description) ? STILL_UPLOADING : undefined,
  estimated_minutes: minutes === undefined ? ESTIMATE_ERROR : undefined,
});

const toastCreated = ({ id, key, title }: Issue, open: () => void) =>
  toast({
    subjects: [`issue:${id}`],
    title: `${key} created`,
    description: title,
    tone: "success",
    action: { label: `Open ${key}`, onSelect: open },
  });

/** The draft as it is shown. `set` stores it; `keep` shows it without storing it. */
function useNewIssueDraft(project: Project, start: Start) {
  const me = useProfile().id;
  const templates = useTemplates(project);
  /** Undefined until the user changes something: the dialog starts with the default template, also if it arrives late. */
  const [changed, setChanged] = useState(() => {
    const stored = readDraft(me, project.id);
    return hasText(stored) ? withStart(stored, start) : undefined;
  });
  const first = templates.find(({ is_default }) => is_default);
  const draft = changed ?? withStart(withTemplate(EMPTY_DRAFT, undefined, first), start);
  const template = templates.find(({ id }) => id === draft.templateId);
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
  const discard = () => {
    setChanged(undefined);
    deleteDraft(me, project.id);
  };
  return { templates, template, draft, set, keep: setChanged, discard };
}

const NO_TEMPLATES: readonly IssueTemplate[] = [];

const useTemplates = (project: Project): readonly IssueTemplate[] =>
  useQuery({ ...issueTemplatesQuery(project.id), enabled: can(project, "issues:read") }).data ?? NO_TEMPLATES;

/** Values from where the dialog was opened take precedence over the draft. */
function withStart(draft: Draft, { laneId, epicId, sprintId }: Start): Draft {
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
