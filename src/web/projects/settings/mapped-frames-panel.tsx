import type { Project } from "../../../shared/projects.ts";
import { SwitchesPanel } from "./switches-panel.tsx";

const SETTINGS = [
  {
    setting: "group_by_mapped_frames",
    label: "Group new errors by their original code",
    hint: "An error in minified JavaScript then stays the same error when a new build renames functions and files. Source maps count that are uploaded before the error first occurs. Existing errors stay as they are.",
  },
] as const;

/** Whether source maps decide which events form an error. */
export function MappedFramesPanel({ project }: { project: Project }) {
  return (
    <SwitchesPanel
      project={project}
      title="Source maps"
      lead="Minified stack traces are shown with their original code once a release has its source maps."
      settings={SETTINGS}
      values={project}
      changes={(settings) => settings}
    />
  );
}
