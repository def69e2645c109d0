import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Share2 } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { sendForm } from "../attachments/send-form.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { byRecency } from "../data/projects/recent-projects.ts";
import { reportsPath } from "../data/reports/reports.ts";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { Button } from "../kit/button.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { toast } from "../kit/notices/toast.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { MAX_DESCRIPTION_LENGTH } from "../promotion/issue-prefill.ts";
import { forgetShared, readShared, type SharedContent } from "../state/shared-content.ts";
import { ReportImages } from "./report-images.tsx";
import { draftOfShared } from "./shared-draft.ts";
import { useChosenImages } from "./use-chosen-images.ts";

const EMPTY: SharedContent = { title: "", text: "", url: "", files: [], leftOut: [] };

/** Turns what another app has shared with the installed one into a report. */
export function SharePage() {
  const { title = "", text = "", url = "", kept, lost }: Search = useSearch({ strict: false });
  const projects = byRecency(
    useProjects().filter((project) => project.features.reports && can(project, "reports:create")),
  );
  const shared = useShared(kept !== undefined);
  const [first] = projects;
  return (
    <>
      <PageHeader title="Share as a report" />
      {first === undefined ? (
        <EmptyState
          icon={<Share2 size={24} />}
          title="No project to report to"
          text="What you share becomes a report. None of your projects lets you create one."
        />
      ) : shared === undefined ? (
        <Skeleton rows={4} label="Loading what was shared" />
      ) : (
        <ShareForm
          projects={projects}
          first={first}
          shared={shared === "none" ? { ...EMPTY, title, text, url } : shared}
          isLost={lost !== undefined || (kept !== undefined && shared === "none")}
        />
      )}
    </>
  );
}

type Search = { title?: string; text?: string; url?: string; kept?: string; lost?: string };

/** What the service worker keeps; undefined until it has been read. */
function useShared(isKept: boolean): SharedContent | "none" | undefined {
  const [shared, setShared] = useState<SharedContent | "none">();
  useEffect(() => {
    const read = isKept ? readShared() : Promise.resolve(undefined);
    void read.catch(() => undefined).then((content) => setShared(content ?? "none"));
  }, [isKept]);
  return shared;
}

type FormProps = { projects: readonly Project[]; first: Project; shared: SharedContent; isLost: boolean };

function ShareForm({ projects, first, shared, isLost }: FormProps) {
  const { project, setProject, draft, write, images, progress, error, send } = useShare(
    first,
    projects,
    shared,
  );
  const invalid = error instanceof ApiError && error.status === 422 ? error : undefined;
  return (
    <form
      aria-label="Share as a report"
      noValidate
      className="flex w-full max-w-3xl flex-col gap-4 p-4"
      onSubmit={(event) => void send(event)}
    >
      <h2 className="sr-only">New report</h2>
      {isLost && (
        <p role="alert" className="rounded-md bg-warn-tint px-3 py-2 text-warn">
          What you shared did not arrive. Share it again, or describe it here.
        </p>
      )}
      <LeftOut names={shared.leftOut} />
      <FormError>{error !== null && invalid === undefined && messageOf(error)}</FormError>
      <Field label="Project">
        <Combobox
          label="Project"
          value={project.id}
          choices={projects.map(({ id, name, key }) => ({ value: id, label: name, hint: key }))}
          onChange={(id) => id !== null && setProject(id)}
        />
      </Field>
      <Field label="Title" required error={invalid?.messageFor("title")}>
        <Input value={draft.title} onChange={(event) => write({ title: event.target.value })} />
      </Field>
      <Field label="Description" required error={invalid?.messageFor("description")}>
        <MarkdownEditor
          value={draft.description}
          onChange={(description) => write({ description })}
          rows={7}
          max={MAX_DESCRIPTION_LENGTH}
          projectId={project.id}
          onFiles={images.add}
          onSubmit={() => void send()}
        />
      </Field>
      <ReportImages
        images={images}
        progress={progress}
        errorOf={(index) => invalid?.messageFor(`files.${index}`)}
      />
      <FormError>{invalid?.messageFor("files")}</FormError>
      <Button
        variant="primary"
        type="submit"
        className="self-start"
        busy={progress !== null}
        shortcut="mod+Enter"
      >
        Create report
      </Button>
      <LeaveQuestion dirty={progress === null && (draft.description !== "" || images.chosen.length > 0)} />
    </form>
  );
}

function LeftOut({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p role="alert" className="rounded-md bg-warn-tint px-3 py-2 text-warn wrap-anywhere">
      Not added: {names.join(", ")}. A report has at most five images, up to 3 MB each.
    </p>
  );
}

/** The report that is being written, and the request that creates it. */
function useShare(first: Project, projects: readonly Project[], shared: SharedContent) {
  const [projectId, setProject] = useState(first.id);
  const project = projects.find(({ id }) => id === projectId) ?? first;
  const [draft, setDraft] = useState(() => draftOfShared(shared));
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const images = useSharedImages(shared.files);
  const created = useCreated(project);

  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (progress !== null) return;
    const form = new FormData();
    form.set("title", draft.title);
    form.set("description", draft.description);
    for (const [index, { file }] of images.chosen.entries()) form.set(`files[${index}]`, file);
    setError(null);
    setProgress(0);
    try {
      const { signal } = new AbortController();
      const report = await sendForm<Report>(reportsPath(project.id), form, {
        onProgress: setProgress,
        signal,
      });
      await created(report);
    } catch (thrown) {
      setError(thrown);
      setProgress(null);
    }
  };
  const write = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  return { project, setProject, draft, write, images, progress, error, send };
}

function useSharedImages(files: readonly File[]) {
  const images = useChosenImages();
  const latest = useRef(images);
  useEffect(() => {
    latest.current = images;
  });
  // The page reads the files once, so they do not change while it is open.
  useEffect(() => {
    if (files.length > 0 && latest.current.chosen.length === 0) latest.current.add(files);
  }, [files]);
  return images;
}

/** Forgets what was shared, and opens the report if the person may read it. */
function useCreated(project: Project) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (report: Report) => {
    await forgetShared();
    void client.invalidateQueries({ queryKey: ["report", project.id] });
    toast({ title: `Report #${report.id} created`, tone: "success" });
    await (can(project, "reports:read")
      ? navigate({
          to: "/projects/$projectKey/reports/$reportId",
          params: { projectKey: project.key, reportId: String(report.id) },
          replace: true,
        })
      : navigate({ to: "/", replace: true }));
  };
}
