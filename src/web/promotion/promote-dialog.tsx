import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import { issueDescription, issueTitle } from "../../shared/issue-of-error.ts";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { issueTemplatesQuery } from "../data/issues/issue-templates.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { can } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { draftFilesPath, STILL_UPLOADING } from "../editor/draft-files.ts";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { isUploading } from "../editor/upload-text.ts";
import { useFormDraft } from "../forms/use-form-draft.ts";
import { IssuePicker } from "../issues/issue-picker.tsx";
import { TemplateField } from "../issues/template-field.tsx";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { ESTIMATE_ERROR, parseEstimate } from "../marks/estimate.ts";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { GalleryOfReports } from "./gallery-of-reports.tsx";
import { SimilarWhileTyping } from "../similar/similar-while-typing.tsx";
import { IncludedReports } from "./included-reports.tsx";
import { MAX_DESCRIPTION_LENGTH, prefillFrom } from "./issue-prefill.ts";
import { OfferedErrors } from "./offered-errors.tsx";
import {
  issueFieldsOf,
  PROMOTE_ERROR_START,
  PROMOTE_START,
  promoteDraftOf,
  promoteErrorOf,
  proposedType,
} from "./promote-fields.ts";
import { PromoteRail } from "./promote-rail.tsx";
import { changesByTemplate } from "./promote-template.ts";
import { useOfferedErrors } from "./use-offered-errors.ts";
import { useSendPromotion } from "../data/reports/use-send-promotion.ts";

type Props = {
  project: Project;
  /** With `group`, the open reports that came with the error. */
  reports: readonly Report[];
  /** The error to promote. */
  group?: ErrorGroup;
  /** The stack trace of the error with the original places of minified frames. */
  trace?: string;
  /** The fields were begun beside the queue, so they are no surprise. */
  continued?: boolean | undefined;
  onClose: () => void;
  onPromoted: (reports: readonly Report[]) => void;
};

/** Promotes reports, or an error with its reports, to a new issue or to one that exists. */
export function PromoteDialog({
  project,
  reports,
  group,
  trace,
  continued = false,
  onClose,
  onPromoted,
}: Props) {
  const start = group === undefined ? PROMOTE_START : PROMOTE_ERROR_START;
  const draftName = group === undefined ? promoteDraftOf(reports) : `promote-error:${group.id}`;
  const draft = useFormDraft(useProfile().id, draftName, start);
  const { title, description, template_id, ...fields } = draft.fields;
  const [included, setIncluded] = useState(reports);
  /** The issue that exists; null while none is chosen, undefined for a new one. */
  const [existing, setExisting] = useState<number | null | undefined>(undefined);
  const readsIssues = can(project, "issues:read");
  const templates = useQuery({ ...issueTemplatesQuery(project.id), enabled: readsIssues }).data ?? [];
  const templateOf = (id: number | null) => templates.find((template) => template.id === id);
  const [firstLane] = useLanes(project.id);
  const promote = useSendPromotion(project);
  const offered = useOfferedErrors(project.id, group === undefined ? included : NO_REPORTS);
  const prefill = group === undefined ? prefillFrom(included) : prefillFromError(project, group, trace);
  const text = { title: title ?? prefill.title, description: description ?? prefill.description };
  const apiError = promote.error instanceof ApiError ? promote.error : undefined;
  const errorOf = (field: string) => promoteErrorOf(promote.error, field);
  const uploading = isUploading(text.description);
  /** The user has tried to submit the form before it was complete. */
  const [waits, setWaits] = useState(false);
  const minutes = parseEstimate(fields.estimate);
  const estimateError = minutes === undefined ? ESTIMATE_ERROR : undefined;
  const type = fields.type ?? proposedType(group !== undefined || offered.chosen.length > 0, included);

  const targetOf = () => {
    if (existing !== undefined) return existing === null ? undefined : { issueId: existing };
    if (minutes === undefined || uploading) return undefined;
    const all = issueFieldsOf(draft.fields, text, { firstLane: firstLane?.id, minutes, type });
    // The server describes the error as it is then.
    const unchanged = {
      ...(title === null && { title: null }),
      ...(description === null && { description: null }),
    };
    return { fields: group === undefined ? all : { ...all, ...unchanged } };
  };
  const send = (event?: SubmitEvent) => {
    event?.preventDefault();
    if (promote.isPending) return;
    const to = targetOf();
    setWaits(to === undefined);
    if (to === undefined) return;
    promote.mutate(
      { group, reportIds: included.map(({ id }) => id), errorIds: offered.chosen, to },
      {
        onSuccess: () => {
          draft.forget();
          onPromoted(included);
        },
      },
    );
  };
  const switchTarget = () => {
    setExisting(existing === undefined ? null : undefined);
    setWaits(false);
    promote.reset();
  };
  const isTouched = draft.isChanged || included.length < reports.length;
  const otherError =
    apiError?.status === 422 && Object.keys(apiError.errors).length > 0 ? null : promote.error;

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
      title={titleOf(group, included.length)}
      dirty={isTouched && !promote.isPending}
      footer={
        <Footer
          isNew={existing === undefined}
          busy={promote.isPending}
          onSwitch={readsIssues ? switchTarget : undefined}
        />
      }
    >
      <form
        id="promotion"
        noValidate
        onSubmit={send}
        className={existing === undefined ? "grid gap-4 sm:grid-cols-[minmax(0,1fr)_220px]" : ""}
      >
        <div className="flex min-w-0 flex-col gap-4">
          <FormError>{otherError && messageOf(otherError)}</FormError>
          {existing !== undefined && (
            <Field
              label="Issue"
              required
              error={errorOf("issue") ?? (waits && existing === null ? "Choose an issue." : undefined)}
            >
              <IssuePicker project={project} label="Issue" value={existing} onChange={setExisting} />
            </Field>
          )}
          {existing === undefined && (
            <>
              {templates.length > 0 && (
                <TemplateField
                  hint={`The text of the ${group === undefined ? "report" : "error"} is kept.`}
                  templates={templates}
                  value={template_id}
                  onChange={(id) => {
                    const [before, next] = [templateOf(template_id), templateOf(id)];
                    const changes = changesByTemplate(draft.fields, text, { before, next }, start);
                    // An error is a bug, whatever the template is for.
                    draft.change(group === undefined ? changes : { ...changes, type: fields.type });
                  }}
                />
              )}
              <Texts
                project={project}
                text={text}
                errorOf={(field) =>
                  field === "description" && waits && uploading ? STILL_UPLOADING : errorOf(field)
                }
                onChange={draft.change}
                onSubmit={send}
              />
              <SimilarWhileTyping
                project={project}
                {...text}
                except={{ reportIds: included.map(({ id }) => id), errorId: group?.id }}
              />
            </>
          )}
          <IncludedReports
            reports={included}
            min={group === undefined ? 1 : 0}
            onRemove={(id) => {
              setIncluded(included.filter((report) => report.id !== id));
              promote.reset();
            }}
            errorOf={(index) => apiError?.messageFor(`report_ids.${index}`)}
            error={apiError?.messageFor("report_ids")}
          />
          <OfferedErrors offered={offered} disabled={promote.isPending} />
          <GalleryOfReports reports={included} />
        </div>
        {existing === undefined && (
          <PromoteRail
            projectId={project.id}
            fields={{
              ...fields,
              type,
              lane_id: fields.lane_id ?? firstLane?.id ?? null,
            }}
            onChange={draft.change}
            errorOf={(field) => (field === "estimated_minutes" ? estimateError : undefined) ?? errorOf(field)}
          />
        )}
      </form>
    </Dialog>
  );
}

type FooterProps = {
  isNew: boolean;
  busy: boolean;
  /** Switches between a new issue and an existing one; undefined if the user cannot read issues. */
  onSwitch: (() => void) | undefined;
};

function Footer({ isNew, busy, onSwitch }: FooterProps) {
  return (
    <>
      {onSwitch && (
        <Button variant="quiet" disabled={busy} className="-ms-2 me-auto" onClick={onSwitch}>
          {isNew ? "Add to an existing issue…" : "Create a new issue instead"}
        </Button>
      )}
      <CancelButton disabled={busy} />
      <Button variant="primary" type="submit" form="promotion" busy={busy} shortcut="mod+Enter">
        {isNew ? "Create issue" : "Add to issue"}
      </Button>
    </>
  );
}

type TextsProps = {
  project: Project;
  text: { title: string; description: string };
  errorOf: (field: "title" | "description") => string | undefined;
  onChange: (changes: { title: string } | { description: string }) => void;
  onSubmit: () => void;
};

/** The title and description of a new issue. */
function Texts({ project, text, errorOf, onChange, onSubmit }: TextsProps) {
  return (
    <>
      <Field label="Title" required error={errorOf("title")}>
        <Input value={text.title} onChange={(event) => onChange({ title: event.target.value })} />
      </Field>
      <Field label="Description" required error={errorOf("description")}>
        <MarkdownEditor
          attachPath={draftFilesPath(project)}
          value={text.description}
          onChange={(description) => onChange({ description })}
          rows={8}
          max={MAX_DESCRIPTION_LENGTH}
          projectId={project.id}
          onSubmit={onSubmit}
        />
      </Field>
    </>
  );
}

const NO_REPORTS: readonly Report[] = [];

function prefillFromError({ key }: Project, group: ErrorGroup, trace = group.latest_stack_trace) {
  const described = { ...group, stack_trace: trace };
  const link = new URL(`/projects/${key}/errors/${group.id}`, location.origin).href;
  return { title: issueTitle(described), description: issueDescription(described, link) };
}

function titleOf(group: ErrorGroup | undefined, reports: number): string {
  if (group !== undefined) return `Promote ${group.exception_class} to an issue`;
  return reports === 1 ? "Promote to issue" : `Promote ${reports} reports to one issue`;
}
