import type { Project } from "../../../shared/projects.ts";
import { changeProject } from "../../data/projects/change-project.ts";
import { can } from "../../data/projects/projects.ts";
import { Panel } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Switch } from "../../kit/switch.tsx";
import { toast } from "../../kit/notices/toast.ts";

type Props<Setting extends string> = {
  project: Project;
  title: string;
  lead: string;
  settings: readonly { setting: Setting; label: string; hint: string }[];
  values: Readonly<Record<Setting, boolean>>;
  /** The changes of the project that set some of the settings. */
  changes: (settings: Partial<Record<Setting, boolean>>) => object;
};

/** Settings of the project that are on or off. Each change is saved at once. */
export function SwitchesPanel<Setting extends string>(props: Props<Setting>) {
  const { project, title, lead, settings, values, changes } = props;
  const mayChange = can(project, "project:update");
  const save = useSend<Partial<Record<Setting, boolean>>>({
    send: (changed) => changeProject(project.id, changes(changed)),
    stale: [["project"]],
    onDone: () => toast({ title: "Saved", tone: "success" }),
    failed: "The setting could not be saved",
  });
  const shown = { ...values, ...(save.isPending ? save.variables : {}) };
  return (
    <Panel title={title} lead={lead} padded>
      <div className="flex flex-col gap-3">
        {settings.map(({ setting, label, hint }) =>
          mayChange ? (
            <Switch
              key={setting}
              label={label}
              hint={hint}
              checked={shown[setting]}
              disabled={save.isPending}
              onChange={(on) => save.mutate({ [setting]: on } as Partial<Record<Setting, boolean>>)}
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
