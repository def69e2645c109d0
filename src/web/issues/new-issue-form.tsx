import { useDeferredValue } from "react";
import type { Project } from "../../shared/projects.ts";
import { draftFilesPath } from "../editor/draft-files.ts";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { Button } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import type { AppDialog } from "../page/open-dialog.ts";
import { SimilarWhileTyping } from "../similar/similar-while-typing.tsx";
import { NewIssueProperties, PropertiesPlace } from "./new-issue-properties.tsx";
import { TemplatePicker } from "./template-picker.tsx";
import { useNewIssue } from "./use-new-issue.ts";

type Props = {
  project: Project;
  projects: readonly Project[];
  onProject: (id: number) => void;
  start: Extract<AppDialog, { kind: "new-issue" }>;
  onClose: () => void;
};

const FORM = "new-issue";

export function NewIssueForm({ project, projects, onProject, start, onClose }: Props) {
  const { title, templates, draft, set, submit, ...form } = useNewIssue(project, start, onClose);
  const { errors } = form;
  // The first frame shows what is written first: its ten pickers are more work than the rest of the dialog.
  const hasProperties = useDeferredValue(true, false);
  return (
    <Dialog
      open
      onClose={onClose}
      title="New issue"
      size="lg"
      initialFocus={title}
      footer={<Footer {...form} />}
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
            {projects.length > 1 && <ProjectField {...{ project, projects, onProject }} />}
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
        <Field label="Description" optional error={errors["description"]}>
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
        <SimilarWhileTyping project={project} title={draft.title} description={draft.description} />
        {hasProperties ? (
          <NewIssueProperties project={project} draft={draft} set={set} errors={errors} />
        ) : (
          <PropertiesPlace project={project} />
        )}
      </form>
    </Dialog>
  );
}

type FooterProps = Pick<
  ReturnType<typeof useNewIssue>,
  "another" | "setAnother" | "isWritten" | "discard" | "isBusy"
>;

function Footer({ another, setAnother, isWritten, discard, isBusy }: FooterProps) {
  return (
    <>
      <Checkbox
        label="Create another"
        className="me-auto"
        checked={another}
        onChange={(event) => setAnother(event.target.checked)}
      />
      {isWritten && (
        <Button variant="quiet" onClick={discard}>
          Discard draft
        </Button>
      )}
      <Button variant="primary" type="submit" form={FORM} busy={isBusy} shortcut="mod+Enter">
        Create issue
      </Button>
    </>
  );
}

function ProjectField({ project, projects, onProject }: Pick<Props, "project" | "projects" | "onProject">) {
  return (
    <Field label="Project">
      <Combobox
        label="Project"
        value={project.id}
        choices={projects.map(({ id, name, key }) => ({ value: id, label: name, hint: key }))}
        onChange={(id) => id !== null && onProject(id)}
      />
    </Field>
  );
}
