import type { Features, Workspace } from "../../shared/workspaces.ts";
import { api } from "../api/client.ts";
import { workspacesQuery } from "../data/projects.ts";
import { Panel } from "../forms/panel.tsx";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { useOptimistic } from "../data/use-optimistic.ts";
import { Switch } from "../kit/switch.tsx";

const FEATURES: readonly { feature: keyof Features; label: string; hint: string }[] = [
  {
    feature: "reports",
    label: "Reports",
    hint: "Off: Triage and its reports are hidden, and new reports are refused. What was reported is kept.",
  },
  {
    feature: "error_tracking",
    label: "Error tracking",
    hint: "Off: Errors are hidden, and events of programs are refused. What was collected is kept.",
  },
];

/** The parts of the product that a workspace can do without, in all of its projects. */
export function FeaturesSection({ workspace }: { workspace: Workspace }) {
  const change = useOptimistic<Partial<Features>>({
    send: (features) => api.patch(`/api/workspaces/${workspace.id}`, { features }),
    key: workspacesQuery.queryKey,
    patch: (client, changes) =>
      patchEverywhere(client, "workspace", workspace.id, ({ features }) => ({
        features: { ...features, ...changes },
      })),
    stale: [["project"]],
    failed: "The feature could not be switched",
  });
  return (
    <Panel title="Features" lead="In all projects of the workspace, for everybody, at once." padded>
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
