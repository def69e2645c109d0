import { type SubmitEvent, useId } from "react";
import type { Epic } from "../../shared/epics.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { useProfile } from "../data/account/session.ts";
import { changesOf, orNull } from "../forms/changes-of.ts";
import { useFormDraft } from "../forms/use-form-draft.ts";
import { Button } from "../kit/button.tsx";
import { DateInput } from "../kit/dates/date-input.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { useSaveEpic } from "../data/projects/epics.ts";
import { OwnerPicker } from "./owner-picker.tsx";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";

const PLACED = ["title", "description", "starts_on", "ends_on", "owner_id"];

type Props = {
  projectId: number;
  /** The epic to edit; without it, a new one is created. */
  epic?: Epic;
  onClose: () => void;
  onSaved?: (epic: Epic) => void;
};

/** What the form holds. An empty description is sent as null. */
type EpicForm = Pick<Epic, "title" | "starts_on" | "ends_on" | "owner_id"> & { description: string };

export function EpicDialog({ projectId, epic, onClose, onSaved }: Props) {
  const formId = useId();
  const draft = useFormDraft(useProfile().id, epic ? `epics:${epic.id}` : `epic:${projectId}`, {
    title: epic?.title ?? "",
    description: epic?.description ?? "",
    starts_on: epic?.starts_on ?? null,
    ends_on: epic?.ends_on ?? null,
    owner_id: epic?.owner_id ?? null,
  });
  const { before, fields, change } = draft;
  const close = () => {
    draft.forget();
    onClose();
  };
  const save = useSaveEpic(projectId);
  const form = useFocusInvalid(save.error);
  const refused = save.error instanceof ApiError ? save.error : undefined;

  const submit = (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault();
    if (save.isPending) return;
    if (epic && !draft.isChanged) return close();
    save.mutate(epic ? { id: epic.id, changes: changesOf(bodyOf(before), bodyOf(fields)) } : bodyOf(fields), {
      onSuccess: (saved) => {
        close();
        onSaved?.(saved);
      },
    });
  };
  return (
    <Dialog
      open
      onClose={close}
      size="lg"
      dirty={draft.isChanged}
      title={epic ? "Edit epic" : "New epic"}
      description={draft.restored ?? (epic ? undefined : "A larger goal made up of several issues.")}
      footer={
        <>
          <CancelButton />
          <Button type="submit" form={formId} variant="primary" busy={save.isPending} shortcut="mod+Enter">
            {epic ? "Save" : "Create epic"}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <FormError>
          {save.error && !PLACED.some((field) => refused?.messageFor(field)) && messageOf(save.error)}
        </FormError>
        <EpicFields
          projectId={projectId}
          fields={fields}
          change={change}
          errorOf={(field) => refused?.messageFor(field)}
          onSubmit={() => submit()}
        />
      </form>
    </Dialog>
  );
}

type FieldsProps = {
  projectId: number;
  fields: EpicForm;
  change: (changes: Partial<EpicForm>) => void;
  errorOf: (field: string) => string | undefined;
  onSubmit: () => void;
};

function EpicFields({ projectId, fields, change, errorOf, onSubmit }: FieldsProps) {
  return (
    <>
      <Field label="Title" error={errorOf("title")}>
        <Input
          value={fields.title}
          onChange={(event) => change({ title: event.target.value })}
          required
          maxLength={255}
          autoComplete="off"
        />
      </Field>
      <Field label="Description" optional error={errorOf("description")}>
        <MarkdownEditor
          value={fields.description}
          onChange={(description) => change({ description })}
          projectId={projectId}
          rows={5}
          onSubmit={onSubmit}
        />
      </Field>
      <Field label="Owner" optional error={errorOf("owner_id")}>
        <OwnerPicker
          projectId={projectId}
          value={fields.owner_id}
          onChange={(owner_id) => change({ owner_id })}
        />
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Starts on" optional error={errorOf("starts_on")}>
          <DateInput value={fields.starts_on} onChange={(day) => change({ starts_on: day })} />
        </Field>
        <Field label="Ends on" optional error={errorOf("ends_on")}>
          <DateInput
            value={fields.ends_on}
            onChange={(day) => change({ ends_on: day })}
            {...(fields.starts_on ? { min: fields.starts_on } : {})}
          />
        </Field>
      </div>
    </>
  );
}

const bodyOf = <T extends { description: string }>(fields: T) => ({
  ...fields,
  description: orNull(fields.description),
});
