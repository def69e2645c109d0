import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { changeProject } from "../../data/projects/change-project.ts";
import { can } from "../../data/projects/projects.ts";
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

/** How many events of an error people are notified of as a spike. */
export function SpikesPanel({ project }: { project: Project }) {
  const { events, times } = project.spike;
  return (
    <Panel
      title="Spikes"
      lead="An error’s assignee and watchers, and those who watch the project, are notified when it suddenly occurs more often than usual."
      padded
    >
      {can(project, "project:update") ? (
        <SpikesForm project={project} />
      ) : (
        <p>
          At least {events.toLocaleString()} events in 10 minutes, and more than {times.toLocaleString()}{" "}
          times the usual rate
        </p>
      )}
    </Panel>
  );
}

type Edited = { events?: string; times?: string };

function SpikesForm({ project }: { project: Project }) {
  const { spike } = project;
  const [edited, setEdited] = useState<Edited>({});
  const { events = String(spike.events), times = String(spike.times) } = edited;
  const save = useSend<Edited>({
    send: () => changeProject(project.id, { spike: { events: Number(events), times: Number(times) } }),
    stale: [["project"]],
    onDone: (_project, sent) => {
      // Keep what was typed while the request was in flight.
      setEdited((now) => (now === sent ? {} : now));
      toast({ title: "Saved", tone: "success" });
    },
  });
  const isChanged = Number(events) !== spike.events || Number(times) !== spike.times;
  const [eventsError, timesError] = [errorOf(save.error, "spike.events"), errorOf(save.error, "spike.times")];
  return (
    <SettingsForm
      dirty={isChanged && !save.isPending}
      error={save.error}
      onSubmit={() => {
        if (isChanged && !save.isPending) save.mutate(edited);
      }}
    >
      <FormError>{save.error && !eventsError && !timesError && reasonOf(save.error)}</FormError>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Minimum events in 10 minutes" error={eventsError}>
          <Input
            type="number"
            inputMode="numeric"
            min={10}
            max={1_000_000}
            required
            value={events}
            onChange={(event) => setEdited({ ...edited, events: event.target.value })}
          />
        </Field>
        <Field label="Times the usual rate" error={timesError} hint="The average of the last 7 days">
          <Input
            type="number"
            inputMode="numeric"
            min={2}
            max={1_000}
            required
            value={times}
            onChange={(event) => setEdited({ ...edited, times: event.target.value })}
          />
        </Field>
      </div>
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}
