import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { useProfile } from "../data/account/session.ts";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { can } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { toast } from "../kit/notices/toast.ts";
import { MAX_DESCRIPTION_LENGTH } from "../promotion/issue-prefill.ts";
import { reportsPath } from "../data/reports/reports.ts";
import { SimilarWhileTyping } from "../similar/similar-while-typing.tsx";
import { saveDraft, readDraft, type ReportDraft } from "./report-draft.ts";
import { ReportImages } from "./report-images.tsx";
import { sendForm } from "../attachments/send-form.ts";
import { useChosenImages } from "./use-chosen-images.ts";

type Props = { project: Project; onClose: () => void };

/** Creates a report in the current project, with images. The text is stored as a draft. */
export function NewReportDialog({ onClose }: { onClose: () => void }) {
  const project = useCurrentProject();
  if (project === undefined)
    return (
      <Dialog open onClose={onClose} title="New report" size="sm">
        <p>There are no projects yet. Create one first.</p>
      </Dialog>
    );
  return <NewReport key={project.id} project={project} onClose={onClose} />;
}

function NewReport({ project, onClose }: Props) {
  const { draft, write, clear, images, progress, error, send, close } = useNewReport({ project, onClose });
  const invalid = error instanceof ApiError && error.status === 422 ? error : undefined;
  const isTouched = draft.title !== "" || draft.description !== "" || images.chosen.length > 0;
  return (
    <Dialog
      open
      onClose={close}
      size="lg"
      title="New report"
      description={`To ${project.name}`}
      // The text is stored as a draft, but images would be lost.
      dirty={images.chosen.length > 0}
      footer={
        <Footer busy={progress !== null} onClear={isTouched && progress === null ? clear : undefined} />
      }
    >
      <form id="new-report" noValidate className="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
        <FormError>{error !== null && invalid === undefined && messageOf(error)}</FormError>
        <Field label="Title" required error={invalid?.messageFor("title")}>
          <Input value={draft.title} onChange={(event) => write({ title: event.target.value })} />
        </Field>
        <Field label="Description" required error={invalid?.messageFor("description")}>
          <MarkdownEditor
            value={draft.description}
            onChange={(description) => write({ description })}
            rows={7}
            max={MAX_DESCRIPTION_LENGTH}
            placeholder="What happened, and what did you expect?"
            projectId={project.id}
            onFiles={images.add}
            onSubmit={() => void send()}
          />
        </Field>
        <SimilarWhileTyping project={project} title={draft.title} description={draft.description} />
        <ReportImages
          images={images}
          progress={progress}
          errorOf={(index) => invalid?.messageFor(`files.${index}`)}
        />
        <FormError>{invalid?.messageFor("files")}</FormError>
      </form>
      <LeaveQuestion inDialog dirty={images.chosen.length > 0 && progress === null} />
    </Dialog>
  );
}

function Footer({ busy, onClear }: { busy: boolean; onClear: (() => void) | undefined }) {
  return (
    <>
      {onClear && (
        <Button variant="quiet" className="me-auto" onClick={onClear}>
          Clear
        </Button>
      )}
      <CancelButton />
      <Button variant="primary" type="submit" form="new-report" busy={busy} shortcut="mod+Enter">
        Create report
      </Button>
    </>
  );
}

/** The draft of the report, and the request that creates it. */
function useNewReport({ project, onClose }: Props) {
  const me = useProfile().id;
  const [draft, setDraft] = useState(() => readDraft(me, project.id));
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const images = useChosenImages();
  const sending = useRef<AbortController | null>(null);

  const write = (changes: Partial<ReportDraft>) => {
    const next = { ...draft, ...changes };
    setDraft(next);
    saveDraft(me, project.id, next);
  };
  const close = () => {
    sending.current?.abort();
    onClose();
  };
  const clear = () => {
    write({ title: "", description: "" });
    images.clear();
    setError(null);
  };
  const created = useCreated({ project, onClose });
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (progress !== null) return;
    const form = new FormData();
    form.set("title", draft.title);
    form.set("description", draft.description);
    for (const [index, { file }] of images.chosen.entries()) form.set(`files[${index}]`, file);
    const abort = new AbortController();
    sending.current = abort;
    setError(null);
    setProgress(0);
    try {
      const options = { onProgress: setProgress, signal: abort.signal };
      created(await sendForm<Report>(reportsPath(project.id), form, options));
    } catch (thrown) {
      if (!abort.signal.aborted) setError(thrown);
      setProgress(null);
    }
  };
  return { draft, write, clear, images, progress, error, send, close };
}

/** What happens once the report has been created. */
function useCreated({ project, onClose }: Props) {
  const me = useProfile().id;
  const client = useQueryClient();
  const navigate = useNavigate();
  return (report: Report) => {
    saveDraft(me, project.id, { title: "", description: "" });
    void client.invalidateQueries({ queryKey: ["report", project.id] });
    toast({
      title: `Report #${report.id} created`,
      tone: "success",
      action: can(project, "reports:read")
        ? {
            label: "Open report",
            onSelect: () =>
              void navigate({
                to: "/projects/$projectKey/reports/$reportId",
                params: { projectKey: project.key, reportId: String(report.id) },
              }),
          }
        : undefined,
    });
    onClose();
  };
}
