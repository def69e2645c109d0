import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { issueTemplatesQuery } from "../data/issue-templates.ts";
import { TemplateField } from "../issues/template-field.tsx";
import { useLanes } from "../data/lanes.ts";
import { can, useProjects } from "../data/projects.ts";
import { useProfile } from "../data/session.ts";
import { useFormDraft } from "../forms/use-form-draft.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { ESTIMATE_ERROR, parseEstimate } from "../kit/estimate.ts";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { draftFilesPath, STILL_UPLOADING } from "../editor/draft-files.ts";
import { isUploading } from "../editor/upload-text.ts";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { IncludedReports } from "./included-reports.tsx";
import { DESCRIPTION_LENGTH, prefillFrom } from "./issue-prefill.ts";
import { PROMOTE_START, promoteDraftOf, promoteErrorOf, promotionOf } from "./promote-fields.ts";
import { OfferedErrors } from "./offered-errors.tsx";
import { changesByTemplate } from "./promote-template.ts";
import { PromoteRail } from "./promote-rail.tsx";
import { GalleryOfReports } from "./gallery-of-reports.tsx";
import { usePromoteReports } from "../data/reports.ts";
import { useOfferedErrors } from "./use-offered-errors.ts";

type Props = {
  projectId: number;
  reports: readonly Report[];
  /** The fields were begun beside the queue, so they are no surprise. */
  continued?: boolean | undefined;
  onClose: () => void;
  onPromoted: (reports: Report[]) => void;
};

/** Promotes one or several reports to one issue. */
export function PromoteDialog({ projectId, reports, continued = false, onClose, onPromoted }: Props) {
  const [included, setIncluded] = useState(reports);
  const draft = useFormDraft(useProfile().id, promoteDraftOf(reports), PROMOTE_START);
  const { title, description, template_id, ...fields } = draft.fields;
  const project = useProjects().find(({ id }) => id === projectId);
  const readsIssues = project !== undefined && can(project, "issues:read");
  const templates = useQuery({ ...issueTemplatesQuery(projectId), enabled: readsIssues }).data ?? [];
  const templateOf = (id: number | null) => templates.find((template) => template.id === id);
  const [firstLane] = useLanes(projectId);
  const promote = usePromoteReports(projectId);
  const offered = useOfferedErrors(projectId, included);
  const prefill = prefillFrom(included);
  const text = { title: title ?? prefill.title, description: description ?? prefill.description };
  const apiError = promote.error instanceof ApiError ? promote.error : undefined;
  const errorOf = (field: string) => promoteErrorOf(promote.error, field);
  const uploading = isUploading(text.description);
  /** The user has tried to create the issue while files were being uploaded. */
  const [waits, setWaits] = useState(false);
  const minutes = parseEstimate(fields.estimate);
  const estimateError = minutes === undefined ? ESTIMATE_ERROR : undefined;

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (promote.isPending || minutes === undefined) return;
    setWaits(uploading);
    if (uploading) return;
    const body = promotionOf(draft.fields, text, {
      firstLane: firstLane?.id,
      minutes,
      reports: included,
      errors: offered.chosen,
    });
    promote.mutate(body, {
      onSuccess: (promoted) => {
        draft.forget();
        onPromoted(promoted);
      },
    });
  };
  const isTouched = draft.isChanged || included.length < reports.length;
  const otherError = apiError === undefined ? promote.error : apiError.status === 422 ? null : apiError;

  return (
    <Dialog
      open
      size="lg"
      // A request in flight cannot be canceled: the issue would be created without any feedback.
      onClose={() => {
        if (promote.isPending) return;
        draft.forget();
        onClose();
      }}
      description={continued ? undefined : draft.restored}
      title={included.length === 1 ? "Promote to issue" : `Promote ${included.length} reports to one issue`}
      dirty={isTouched && !promote.isPending}
      footer={
        <>
          <CancelButton disabled={promote.isPending} />
          <Button
            variant="primary"
            type="submit"
            form="promote-reports"
            busy={promote.isPending}
            shortcut="mod+Enter"
          >
            Create issue
          </Button>
        </>
      }
    >
      <form
        id="promote-reports"
        noValidate
        onSubmit={send}
        className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_220px]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <FormError>{otherError && messageOf(otherError)}</FormError>
          {templates.length > 0 && (
            <TemplateField
              hint="The text of the report is kept."
              templates={templates}
              value={template_id}
              onChange={(id) =>
                draft.change(changesByTemplate(draft.fields, text, templateOf(template_id), templateOf(id)))
              }
            />
          )}
          <Field label="Title" required error={errorOf("title")}>
            <Input value={text.title} onChange={(event) => draft.change({ title: event.target.value })} />
          </Field>
          <Field
            label="Description"
            required
            error={waits && uploading ? STILL_UPLOADING : errorOf("description")}
          >
            <MarkdownEditor
              attachPath={project && draftFilesPath(project)}
              value={text.description}
              onChange={(next) => draft.change({ description: next })}
              rows={8}
              max={DESCRIPTION_LENGTH}
              projectId={projectId}
              onSubmit={send}
            />
          </Field>
          <IncludedReports
            reports={included}
            onRemove={(id) => {
              setIncluded(included.filter((report) => report.id !== id));
              promote.reset();
            }}
            errorOf={(index) => apiError?.of(`report_ids.${index}`)}
            error={apiError?.of("report_ids")}
          />
          <OfferedErrors offered={offered} disabled={promote.isPending} />
          <GalleryOfReports reports={included} />
        </div>
        <PromoteRail
          projectId={projectId}
          fields={{ ...fields, lane_id: fields.lane_id ?? firstLane?.id ?? null }}
          onChange={draft.change}
          errorOf={(field) => (field === "estimated_minutes" ? estimateError : undefined) ?? errorOf(field)}
        />
      </form>
    </Dialog>
  );
}
