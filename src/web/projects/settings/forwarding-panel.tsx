import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Forwarding } from "../../../shared/forwarding.ts";
import type { Project } from "../../../shared/projects.ts";
import { forwardDsnQuery, forwardingQuery, saveForwardDsn } from "../../data/integrations/forwarding.ts";
import { errorOf } from "../../forms/form-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { reasonOf } from "../../forms/reason.ts";
import { SaveButton } from "../../forms/save-button.tsx";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { textOfFailure } from "../../integrations/webhooks/attempt-text.ts";
import { exactCount } from "../../kit/count-text.ts";
import { Time } from "../../kit/dates/time.tsx";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { Input } from "../../kit/input.tsx";
import { toast } from "../../kit/notices/toast.ts";

/** Another server that gets what Sentry SDKs send here, too. */
export function ForwardingPanel({ project }: { project: Project }) {
  const saved = useQuery(forwardDsnQuery(project.id));
  return (
    <Panel
      title="Forwarding"
      lead="Keep another Sentry-compatible server running while you move: everything that your SDKs send here also goes there, unchanged."
      padded
    >
      <Loaded query={saved} rows={2}>
        {(dsn) => (
          <>
            <ForwardingForm project={project} saved={dsn} />
            {dsn !== "" && <ForwardingCounts project={project} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function ForwardingForm({ project, saved }: { project: Project; saved: string }) {
  const [edited, setEdited] = useState<string>();
  const dsn = edited ?? saved;
  const save = useSend<string>({
    send: (value) => saveForwardDsn(project.id, value.trim()),
    stale: [
      ["forward_dsn", project.id],
      ["forwarding", project.id],
    ],
    onDone: (_answer, sent) => {
      // Keep what was typed while the request was in flight.
      setEdited((now) => (now === sent ? undefined : now));
      toast({ title: "Saved", tone: "success" });
    },
  });
  const isChanged = dsn.trim() !== saved;
  const error = errorOf(save.error, "forward_dsn");
  return (
    <SettingsForm
      dirty={isChanged && !save.isPending}
      error={save.error}
      onSubmit={() => {
        if (isChanged && !save.isPending) save.mutate(dsn);
      }}
    >
      <FormError>{save.error && !error && reasonOf(save.error)}</FormError>
      <Field
        label="DSN of the other server"
        optional
        error={error}
        hint="Privacy and inbound rules do not apply to what is forwarded. Once the DSN is saved, its key is hidden."
      >
        <Input
          value={dsn}
          onChange={(event) => {
            // The error is about what was sent.
            if (save.isError) save.reset();
            setEdited(event.target.value);
          }}
          placeholder="https://KEY@sentry.example.com/42"
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}

function ForwardingCounts({ project }: { project: Project }) {
  const counts = useQuery(forwardingQuery(project.id));
  return (
    <div className="mt-4">
      <Loaded query={counts} rows={1}>
        {(forwarding) => <Counts forwarding={forwarding} />}
      </Loaded>
    </div>
  );
}

function Counts({ forwarding: { sent, failed, dropped, last_error, since } }: { forwarding: Forwarding }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p>
        Since <Time at={since} as="full" />: {exactCount(sent)} sent, {exactCount(failed)} failed,{" "}
        {exactCount(dropped)} dropped
      </p>
      {last_error !== null && <p className="text-warn">Latest problem: {textOfFailure(last_error)}</p>}
    </div>
  );
}
