import type { Project } from "../../../shared/projects.ts";
import { LIFECYCLE } from "../lifecycle.ts";
import { SwitchesPanel } from "./switches-panel.tsx";

/** What links reports, issues and errors. */
export function LifecyclePanel({ project }: { project: Project }) {
  return (
    <SwitchesPanel
      project={project}
      title="Reports, issues and errors"
      lead="How a change to one affects the others."
      settings={LIFECYCLE}
      values={project.lifecycle}
      changes={(lifecycle) => ({ lifecycle })}
    />
  );
}
