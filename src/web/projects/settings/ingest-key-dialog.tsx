import { useState } from "react";
import type { IngestKey } from "../../../shared/ingest-keys.ts";
import type { Project } from "../../../shared/projects.ts";
import { ApiError } from "../../api/client.ts";
import { ingestKeys } from "../../data/projects/project-parts.ts";
import { changesOf, isChanged } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { NameField } from "../../forms/name-field.tsx";
import { Field } from "../../kit/field.tsx";
import { Textarea } from "../../kit/textarea.tsx";
import { originErrorOf, originsOf } from "./origins.ts";

type Props = { project: Project; ingestKey?: IngestKey; onClose: () => void };

/** Creates an ingest key, or edits its name and origins. */
export function IngestKeyDialog({ project, ingestKey, onClose }: Props) {
  const [start] = useState({
    name: ingestKey?.name ?? "",
    origins: ingestKey?.allowed_origins.join("\n") ?? "",
  });
  const [form, setForm] = useState(start);
  const save = useSend({
    send: () => {
      if (!ingestKey)
        return ingestKeys.add(project.id, { name: form.name, allowed_origins: originsOf(form.origins) });
      const { name, origins } = changesOf(start, form);
      const allowed_origins = origins === undefined ? undefined : originsOf(origins);
      return ingestKeys.change(project.id, ingestKey.id, { name, allowed_origins });
    },
    stale: [["ingest_key", project.id]],
    onDone: onClose,
  });
  const dirty = isChanged(start, form);
  const originError = save.error instanceof ApiError ? originErrorOf(save.error.errors) : undefined;
  return (
    <FormDialog
      title={ingestKey ? `Edit ${ingestKey.name}` : "New key"}
      submit={ingestKey ? "Save" : "Create key"}
      busy={save.isPending}
      dirty={dirty}
      error={originError === undefined ? save.error : null}
      fields={["name"]}
      onSubmit={() => (dirty || !ingestKey ? save.mutate() : onClose())}
      onClose={onClose}
    >
      <NameField
        value={form.name}
        onChange={(value) => setForm({ ...form, name: value })}
        error={errorOf(save.error, "name")}
        hint="The app that uses it."
      />
      <Field
        label="Allowed origins"
        optional
        hint="The web pages that may use the key, one per line: https://shop.example.com, or https://*.example.com for all subdomains. Leave empty to allow every page. Programs outside of browsers can always use it."
        error={originError}
      >
        <Textarea
          value={form.origins}
          onChange={(event) => setForm({ ...form, origins: event.target.value })}
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono"
        />
      </Field>
    </FormDialog>
  );
}
