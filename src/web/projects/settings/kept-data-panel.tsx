import type { Project } from "../../../shared/projects.ts";
import { SwitchesPanel } from "./switches-panel.tsx";

const SETTINGS = [
  {
    setting: "keep_vars",
    label: "Keep the variables of stack frames",
    hint: "Shows what each variable contained when the error occurred, without what the rules above remove. Variables can contain any data of your users.",
  },
  {
    setting: "keep_debug_events",
    label: "Keep events of level debug",
    hint: "Sentry SDKs can report debug messages as events. They are dropped unless this is on.",
  },
] as const;

/** What the project keeps of events only if it is turned on. */
export function KeptDataPanel({ project }: { project: Project }) {
  return (
    <SwitchesPanel
      project={project}
      title="Optional data"
      lead="Stored only if you turn it on."
      settings={SETTINGS}
      values={project}
      changes={(settings) => settings}
    />
  );
}
