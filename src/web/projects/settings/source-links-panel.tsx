import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { sourceUrl } from "../../../shared/source-url.ts";
import { changeProject } from "../../data/projects/change-project.ts";
import { can } from "../../data/projects/projects.ts";
import { orNull } from "../../forms/changes-of.ts";
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

/** Where the source code of the project can be read, which stack traces link to. */
export function SourceLinksPanel({ project }: { project: Project }) {
  return (
    <Panel
      title="Source links"
      lead="Link stack frames in your own code to their lines in your repository."
      padded
    >
      {can(project, "project:update") ? (
        <SourceLinksForm project={project} />
      ) : (
        <p className="wrap-anywhere">{project.repository_url_pattern ?? "Not set"}</p>
      )}
    </Panel>
  );
}

const EXAMPLE = "https://github.com/acme/shop/blob/{release}/{path}#L{line}";

function SourceLinksForm({ project }: { project: Project }) {
  const saved = project.repository_url_pattern ?? "";
  const [edited, setEdited] = useState<string>();
  const pattern = edited ?? saved;
  const save = useSend<string>({
    send: (value) => changeProject(project.id, { repository_url_pattern: orNull(value.trim()) }),
    stale: [["project"]],
    onDone: (_project, sent) => {
      // Keep what was typed while the request was in flight.
      setEdited((now) => (now === sent ? undefined : now));
      toast({ title: "Saved", tone: "success" });
    },
  });
  const isChanged = pattern.trim() !== saved;
  const error = errorOf(save.error, "repository_url_pattern");
  return (
    <SettingsForm
      dirty={isChanged && !save.isPending}
      error={save.error}
      onSubmit={() => {
        if (isChanged && !save.isPending) save.mutate(pattern);
      }}
    >
      <FormError>{save.error && !error && reasonOf(save.error)}</FormError>
      <Field
        label="Repository URL pattern"
        optional
        error={error}
        hint={
          <>
            Must contain <code>{"{path}"}</code>; <code>{"{line}"}</code> and <code>{"{release}"}</code> are
            optional. With <code>{"{release}"}</code>, events without a release have no links.
          </>
        }
      >
        <Input
          value={pattern}
          onChange={(event) => setEdited(event.target.value)}
          placeholder={EXAMPLE}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Preview pattern={pattern.trim()} />
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}

/** The link that the pattern creates for a frame. */
function Preview({ pattern }: { pattern: string }) {
  const url = sourceUrl(pattern, { path: "src/cart/total.ts", line: 42, release: "4.13.0" });
  if (!pattern.includes("{path}") || url === undefined) return null;
  return (
    <p className="text-sm text-text-2">
      Line 42 of src/cart/total.ts in release 4.13.0: <span className="font-mono wrap-anywhere">{url}</span>
    </p>
  );
}
