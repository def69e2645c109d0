import { Download } from "lucide-react";
import { Suspense, useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { exportOf } from "../../data/csv.ts";
import { changeProject } from "../../data/projects/change-project.ts";
import { LinkButton } from "../../kit/button.tsx";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { Input } from "../../kit/input.tsx";
import { Textarea } from "../../kit/textarea.tsx";
import { toast } from "../../kit/notices/toast.ts";
import { Markdown } from "../../kit/markdown/markdown.tsx";
import { can } from "../../data/projects/projects.ts";
import { changesOf, orNull } from "../../forms/changes-of.ts";
import { errorOf } from "../../forms/form-dialog.tsx";
import { Panel } from "../../forms/panel.tsx";
import { reasonOf } from "../../forms/reason.ts";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { NameField } from "../../forms/name-field.tsx";
import { SaveButton } from "../../forms/save-button.tsx";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { LifecyclePanel } from "./lifecycle-panel.tsx";
import { MappedFramesPanel } from "./mapped-frames-panel.tsx";
import { StoragePanel } from "./storage-panel.tsx";

const SourceLinksPanel = lazyPart(async () => (await import("./source-links-panel.tsx")).SourceLinksPanel);

const SpikesPanel = lazyPart(async () => (await import("./spikes-panel.tsx")).SpikesPanel);

/** The project's name and description. */
export function GeneralSection({ project }: { project: Project }) {
  const mayChange = can(project, "project:update");
  return (
    <>
      <Panel title="General" lead="The key cannot be changed, because it is part of every issue key." padded>
        {mayChange ? <GeneralForm project={project} /> : <GeneralText project={project} />}
      </Panel>
      {project.features.error_tracking && <LifecyclePanel project={project} />}
      {project.features.error_tracking && <MappedFramesPanel project={project} />}
      {project.features.error_tracking && (
        <Suspense fallback={null}>
          <SourceLinksPanel project={project} />
          <SpikesPanel project={project} />
        </Suspense>
      )}
      <StoragePanel project={project} />
      {mayChange && (
        <Panel
          title="Export"
          lead="An archive with all issues, reports, errors, comments and files of the project. People are included without their addresses."
          padded
        >
          <LinkButton href={exportOf(project.id)} download icon={Download}>
            Export this project
          </LinkButton>
        </Panel>
      )}
    </>
  );
}

/** Fields that the user has not edited follow changes by others and are not sent. */
function GeneralForm({ project }: { project: Project }) {
  const [edited, setEdited] = useState<{ name?: string; description?: string }>({});
  const edit = (changes: typeof edited) => setEdited({ ...edited, ...changes });
  const { name = project.name, description = project.description ?? "" } = edited;
  const changes = changesOf(
    { name: project.name, description: project.description },
    { name, description: orNull(description) },
  );
  const save = useSend<typeof edited>({
    send: () => changeProject(project.id, changes),
    stale: [["project"]],
    onDone: (_project, sent) => {
      // Keep what was typed while the request was in flight.
      setEdited((now) => (now === sent ? {} : now));
      toast({ title: "Saved", tone: "success" });
    },
  });
  const isChanged = Object.keys(changes).length > 0;
  const nameError = errorOf(save.error, "name");
  const descriptionError = errorOf(save.error, "description");
  const submit = () => {
    if (isChanged && !save.isPending) save.mutate(edited);
  };
  return (
    <SettingsForm dirty={isChanged && !save.isPending} error={save.error} onSubmit={submit}>
      <FormError>{save.error && !nameError && !descriptionError && reasonOf(save.error)}</FormError>
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <NameField value={name} onChange={(value) => edit({ name: value })} error={nameError} />
        <Field label="Key">
          <Input value={project.key} readOnly className="text-text-2" />
        </Field>
      </div>
      <Field label="Description" optional hint="Markdown" error={descriptionError}>
        <Textarea
          value={description}
          onChange={(event) => edit({ description: event.target.value })}
          rows={4}
        />
      </Field>
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}

function GeneralText({ project }: { project: Project }) {
  return (
    <dl className="flex flex-col gap-3">
      <div>
        <dt className="text-text-3 text-sm">Name</dt>
        <dd dir="auto">{project.name}</dd>
      </div>
      <div>
        <dt className="text-text-3 text-sm">Key</dt>
        <dd>{project.key}</dd>
      </div>
      <div>
        <dt className="text-text-3 text-sm">Description</dt>
        <dd>{project.description ? <Markdown text={project.description} /> : "—"}</dd>
      </div>
    </dl>
  );
}
