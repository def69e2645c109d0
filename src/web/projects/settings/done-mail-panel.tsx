import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { changeProject } from "../../data/projects/change-project.ts";
import { errorOf } from "../../forms/form-dialog.tsx";
import { Panel } from "../../forms/panel.tsx";
import { reasonOf } from "../../forms/reason.ts";
import { SaveButton } from "../../forms/save-button.tsx";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { Input } from "../../kit/input.tsx";
import { toast } from "../../kit/notices/toast.ts";
import { Textarea } from "../../kit/textarea.tsx";

const HINT = (
  <>
    <code>{"{title}"}</code>, <code>{"{release}"}</code> and <code>{"{project}"}</code> are filled in. A blank
    text restores the default.
  </>
);

type Texts = { done_subject: string; done_message: string };

/** The email that tells reporters that what they reported is done. */
export function DoneMailPanel({ project }: { project: Project }) {
  const { done_subject, done_message } = project.feedback;
  const saved: Texts = { done_subject, done_message };
  const [edited, setEdited] = useState<Partial<Texts>>({});
  const texts = { ...saved, ...edited };
  const save = useSend<Texts>({
    send: (values) => changeProject(project.id, { feedback: feedbackOf(values) }),
    stale: [["project"]],
    onDone: () => {
      setEdited({});
      toast({ title: "Saved", tone: "success" });
    },
  });
  const isChanged = texts.done_subject !== done_subject || texts.done_message !== done_message;
  const errors = {
    subject: errorOf(save.error, "feedback.done_subject"),
    message: errorOf(save.error, "feedback.done_message"),
  };
  const isPlaced = errors.subject !== undefined || errors.message !== undefined;
  return (
    <Panel
      title="When it is done"
      lead="If the project tells reporters about releases (General), people outside the team get this email once their report is done."
      padded
    >
      <SettingsForm
        dirty={isChanged && !save.isPending}
        error={save.error}
        onSubmit={() => {
          if (isChanged && !save.isPending) save.mutate(texts);
        }}
      >
        <FormError>{save.error && !isPlaced && reasonOf(save.error)}</FormError>
        <Field label="Subject" error={errors.subject}>
          <Input
            value={texts.done_subject}
            maxLength={255}
            autoComplete="off"
            onChange={(event) => setEdited({ ...edited, done_subject: event.target.value })}
          />
        </Field>
        <Field label="Message" error={errors.message} hint={HINT}>
          <Textarea
            rows={5}
            value={texts.done_message}
            onChange={(event) => setEdited({ ...edited, done_message: event.target.value })}
          />
        </Field>
        <Preview texts={texts} projectName={project.name} />
        <SaveButton busy={save.isPending} disabled={!isChanged} />
      </SettingsForm>
    </Panel>
  );
}

/** A blank text restores the default. */
const feedbackOf = ({ done_subject, done_message }: Texts) => ({
  done_subject: done_subject.trim() || null,
  done_message: done_message.trim() === "" ? null : done_message,
});

/** The email about an example. */
function Preview({ texts, projectName }: { texts: Texts; projectName: string }) {
  const example: Record<string, string> = {
    title: "The cart is empty after a reload",
    release: "4.13.0",
    project: projectName,
  };
  const fill = (text: string) =>
    text.replaceAll(/\{(title|release|project)\}/g, (_placeholder, name: string) => example[name] ?? "");
  return (
    <div
      role="group"
      aria-label="Preview"
      className="border-line bg-canvas rounded-md border px-3 py-2 text-sm"
    >
      <p dir="auto" className="font-medium wrap-anywhere">
        {fill(texts.done_subject)}
      </p>
      <p dir="auto" className="text-text-2 mt-1 wrap-anywhere whitespace-pre-wrap">
        {fill(texts.done_message)}
      </p>
    </div>
  );
}
