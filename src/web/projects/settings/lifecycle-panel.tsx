import type { Project } from "../../../shared/projects.ts";
import { LIFECYCLE } from "../lifecycle.ts";
import { SwitchesPanel } from "./switches-panel.tsx";

/** What links reports, issues and errors. */
export function LifecyclePanel({ project }: { project: Project }) {
  return (
    <SwitchesPanel
      project={project}
      title="Reports, issues and errors"
      lead="What a change to one does to the others."
      settings={LIFECYCLE}
      values={project.lifecycle}
      changes={(lifecycle) => ({ lifecycle })}
    />
  );
}
