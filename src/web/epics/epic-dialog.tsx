import { type SubmitEvent, useId, useState } from "react";
import type { Epic } from "../../shared/epics.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { usePeople } from "../data/people.ts";
import { changesOf, isChanged, orNull } from "../forms/changes-of.ts";
import { Button } from "../kit/button.tsx";
import { DateInput } from "../kit/date-input.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { MarkdownEditor } from "../kit/markdown-editor.tsx";
import { useSaveEpic } from "../data/epics.ts";

const PLACED = ["title", "description", "starts_on", "ends_on"];

type Props = {
  projectId: number;
  /** The epic to edit; without it, a new one is created. */
  epic?: Epic;
  onClose: () => void;
  onSaved?: (epic: Epic) => void;
};

export function EpicDialog({ projectId, epic, onClose, onSaved }: Props) {
  const formId = useId();
  const people = usePeople(projectId).all.map((person) => ({ ...person, id: person.user_id }));
  const [title, setTitle] = useState(epic?.title ?? "");
  const [description, setDescription] = useState(epic?.description ?? "");
  const [startsOn, setStartsOn] = useState(epic?.starts_on ?? null);
  const [endsOn, setEndsOn] = useState(epic?.ends_on ?? null);
  const fields = { title, description: orNull(description), starts_on: startsOn, ends_on: endsOn };
  const [before] = useState(fields);
  const dirty = isChanged(before, fields);
  const save = useSaveEpic(projectId);
  const refused = save.error instanceof ApiError ? save.error : undefined;

  const submit = (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault();
    if (save.isPending) return;
    if (epic && !dirty) return onClose();
    save.mutate(epic ? { id: epic.id, changes: changesOf(before, fields) } : fields, {
      onSuccess: (saved) => {
        onClose();
        onSaved?.(saved);
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      dirty={dirty}
      title={epic ? "Edit epic" : "New epic"}
      {...(epic ? {} : { description: "A larger goal made up of several issues." })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={save.isPending}>
            {epic ? "Save" : "Create epic"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <FormError>
          {save.error && !PLACED.some((field) => refused?.of(field)) && messageOf(save.error)}
        </FormError>
        <Field label="Title" error={refused?.of("title")}>
          <Input
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            required
            maxLength={255}
            autoComplete="off"
          />
        </Field>
        <Field label="Description" optional error={refused?.of("description")}>
          <MarkdownEditor
            value={description}
            onChange={setDescription}
            people={people}
            rows={5}
            onSubmit={() => submit()}
          />
        </Field>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Starts on" optional error={refused?.of("starts_on")}>
            <DateInput value={startsOn} onChange={setStartsOn} />
          </Field>
          <Field label="Ends on" optional error={refused?.of("ends_on")}>
            <DateInput value={endsOn} onChange={setEndsOn} {...(startsOn ? { min: startsOn } : {})} />
          </Field>
        </div>
      </form>
    </Dialog>
  );
}
