import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { Outcome } from "../../../shared/usage.ts";
import { usageQuery } from "../../data/projects/project-settings.ts";
import { UsageNotices } from "../../errors/list/usage-notices.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { BarChart } from "../../kit/charts/bar-chart.tsx";
import { exactCount } from "../../kit/count-text.ts";
import { RadioGroup } from "../../kit/radio-group.tsx";

const OUTCOMES: readonly { value: Outcome; name: string; hint: string }[] = [
  { value: "accepted", name: "Accepted", hint: "Counted in an error." },
  { value: "kept", name: "Kept in full", hint: "Accepted, with everything that was sent." },
  {
    value: "trimmed",
    name: "Without details",
    hint: "Accepted, but the day’s storage was full or a client created too many errors.",
  },
  { value: "limited", name: "Rate-limited", hint: "Sent too fast. Most libraries send less for a while." },
  { value: "invalid", name: "Invalid", hint: "Could not be read, or were too large." },
  {
    value: "filtered",
    name: "Filtered",
    hint: "Not stored because of their level, origin or an inbound rule.",
  },
  { value: "duplicate", name: "Sent before", hint: "Counted once." },
  { value: "discarded", name: "Not used", hint: "Sessions, traces and other things that SDKs send." },
];

/** What happened to the events that were sent to the project. */
export function UsageSection({ project }: { project: Project }) {
  const usage = useQuery(usageQuery(project.id));
  const [chosen, setChosen] = useState<Outcome>("accepted");
  const name = OUTCOMES.find(({ value }) => value === chosen)?.name ?? "";
  return (
    <Panel title="Usage" lead="What became of the events of the last 30 days (UTC)." padded>
      <Loaded query={usage}>
        {(days) => (
          <div className="flex flex-col gap-4">
            <UsageNotices projectId={project.id} className="rounded-md px-3 py-2" />
            <BarChart
              title={`${name} per day`}
              days={days.map((day) => ({ date: day.day, count: day[chosen] }))}
            />
            <RadioGroup
              label="Show"
              value={chosen}
              onChange={setChosen}
              options={OUTCOMES.map((outcome) => ({
                value: outcome.value,
                label: `${outcome.name}: ${exactCount(days.reduce((sum, day) => sum + day[outcome.value], 0))}`,
                hint: outcome.hint,
              }))}
            />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
