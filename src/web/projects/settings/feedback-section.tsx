import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { changeProject, replaceIdentitySecret } from "../../data/projects/change-project.ts";
import { ingestKeysQuery } from "../../data/projects/project-settings.ts";
import { CopyField } from "../../forms/copy-field.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { ShownOnce } from "../../forms/shown-once.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { FeatureOff } from "../../kit/feature-off.tsx";
import { CodeBlock } from "../../kit/markdown/code-block.tsx";
import { Switch } from "../../kit/switch.tsx";
import { DoneMailPanel } from "./done-mail-panel.tsx";

/** How people outside the team report, and what they hear back. Requires `project:update`. */
export function FeedbackSection({ project }: { project: Project }) {
  if (!project.features.reports)
    return (
      <FeatureOff message="Reports are turned off in this workspace. An administrator can turn them on." />
    );
  return (
    <>
      <WidgetPanel project={project} />
      <FormPanel project={project} />
      <DoneMailPanel project={project} />
      <IdentityPanel project={project} />
    </>
  );
}

function WidgetPanel({ project }: { project: Project }) {
  const keys = useQuery(ingestKeysQuery(project.id));
  return (
    <Panel
      title="Widget"
      lead="Adds a feedback button to your web pages. Reports arrive in triage with the page, the browser and the last error."
      padded
    >
      <Loaded query={keys} rows={2}>
        {(list) => {
          const key = list.find(({ active }) => active)?.key ?? "YOUR_INGEST_KEY";
          return (
            <CodeBlock
              label="HTML"
              code={`<script src="${location.origin}/widget.js" data-key="${key}" async></script>`}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function FormPanel({ project }: { project: Project }) {
  const { public_form: isOn, form_url: url } = project.feedback;
  const [isAsking, setAsking] = useState(false);
  const save = useSend<boolean>({
    send: (public_form) => changeProject(project.id, { feedback: { public_form } }),
    stale: [["project"]],
    failed: "The setting could not be saved",
  });
  return (
    <Panel title="Public form" lead="A page on which anyone with its address can write a report." padded>
      <div className="flex flex-col gap-4">
        <Switch
          label="Public form"
          hint="Turning it on creates a new address."
          checked={save.isPending ? save.variables : isOn}
          disabled={save.isPending}
          onChange={(on) => (on ? save.mutate(true) : setAsking(true))}
        />
        {url !== null && <CopyField label="Address" value={url} copy="Copy address" />}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Turn off the public form?"
        confirm="Turn off"
        done="The public form was turned off"
        onConfirm={() => save.mutateAsync(false)}
      >
        Its address stops working for good. Turning the form on again creates another one.
      </ConfirmDialog>
    </Panel>
  );
}

function IdentityPanel({ project }: { project: Project }) {
  const [isAsking, setAsking] = useState(false);
  const create = useSend({ send: () => replaceIdentitySecret(project.id), stale: [] });
  return (
    <Panel
      title="Identity secret"
      lead="Your app signs the addresses of its users with this secret, so that they count as confirmed and need no confirmation by email."
      padded
    >
      <Button onClick={() => setAsking(true)}>Create a new secret</Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Create a new identity secret?"
        confirm="Create secret"
        tone="primary"
        onConfirm={() => create.mutateAsync()}
      >
        A previous secret stops working at once.
      </ConfirmDialog>
      {create.data && (
        <ShownOnce
          title="Copy the secret now"
          description="The new identity secret is in effect."
          label="Secret"
          value={create.data.secret}
          copy="Copy secret"
          hint="It is shown only once. Keep it on your server: whoever has it can sign any address."
          onClose={create.reset}
        />
      )}
    </Panel>
  );
}
