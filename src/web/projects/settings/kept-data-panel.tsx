import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { can } from "../../data/projects.ts";
import { Panel } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Switch } from "../../kit/switch.tsx";
import { toast } from "../../kit/toast.ts";

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

type Setting = (typeof SETTINGS)[number]["setting"];

/** What the project keeps of events only if it wants to. Each change is saved at once. */
export function KeptDataPanel({ project }: { project: Project }) {
  const mayChange = can(project, "project:update");
  const save = useSend<Partial<Record<Setting, boolean>>>({
    send: (settings) => api.patch(`/api/projects/${project.id}`, settings),
    stale: [["project"]],
    onDone: () => toast({ title: "Saved", tone: "success" }),
    failed: "The setting could not be saved",
  });
  const shown = { ...project, ...(save.isPending ? save.variables : {}) };
  return (
    <Panel title="Optional data" lead="What is stored only if you turn it on." padded>
      <div className="flex flex-col gap-3">
        {SETTINGS.map(({ setting, label, hint }) =>
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
