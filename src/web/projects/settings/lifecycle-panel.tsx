import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { can } from "../../data/projects.ts";
import { Panel } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Switch } from "../../kit/switch.tsx";
import { toast } from "../../kit/toast.ts";
import { LIFECYCLE, type LifecycleSetting } from "../lifecycle.ts";

/** What links reports, issues and errors. Each change is saved at once. */
export function LifecyclePanel({ project }: { project: Project }) {
  const mayChange = can(project, "project:update");
  const save = useSend<Partial<Record<LifecycleSetting, boolean>>>({
    send: (lifecycle) => api.patch(`/api/projects/${project.id}`, { lifecycle }),
    stale: [["project"]],
    onDone: () => toast({ title: "Saved", tone: "success" }),
    failed: "The setting could not be saved",
  });
  const shown = { ...project.lifecycle, ...(save.isPending ? save.variables : {}) };
  return (
    <Panel title="Reports, issues and errors" lead="What happens to one when another changes." padded>
      <div className="flex flex-col gap-3">
        {LIFECYCLE.map(({ setting, label, hint }) =>
          mayChange ? (
            <Switch
              key={setting}
              label={label}
              hint={hint}
              checked={shown[setting]}
              disabled={save.isPending}
              onChange={(on) => save.mutate({ [setting]: on })}
            />
          ) : (
            <p key={setting}>
              {label}: {shown[setting] ? "on" : "off"}
            </p>
          ),
        )}
      </div>
    </Panel>
  );
}
