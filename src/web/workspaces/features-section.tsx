import type { Features, Workspace } from "../../shared/workspaces.ts";
import { Panel } from "../forms/panel.tsx";
import { Switch } from "../kit/switch.tsx";
import { useChangeFeatures } from "../data/projects/change-workspace-features.ts";

const FEATURES: readonly { feature: keyof Features; label: string; hint: string }[] = [
  {
    feature: "reports",
    label: "Reports",
    hint: "When off, Triage is hidden and new reports are rejected. Existing reports are kept.",
  },
  {
    feature: "error_tracking",
    label: "Error tracking",
    hint: "When off, Errors is hidden and events from programs are rejected. Existing errors are kept.",
  },
];

/** Features that can be turned off for all projects of a workspace. */
export function FeaturesSection({ workspace }: { workspace: Workspace }) {
  const change = useChangeFeatures(workspace);
  return (
    <Panel
      title="Features"
      lead="Changes apply immediately to everyone in all projects of the workspace."
      padded
    >
      <div className="flex flex-col gap-5">
        {FEATURES.map(({ feature, label, hint }) => (
          <Switch
            key={feature}
            label={label}
            hint={hint}
            checked={workspace.features[feature]}
            onChange={(on) => change.mutate({ [feature]: on })}
          />
        ))}
      </div>
    </Panel>
  );
}
