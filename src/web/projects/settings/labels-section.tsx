import { useQuery } from "@tanstack/react-query";
import { EllipsisVertical, Plus } from "lucide-react";
import { useState } from "react";
import type { Label } from "../../../shared/labels.ts";
import type { Project } from "../../../shared/projects.ts";
import { projectLabels } from "../../data/projects/project-parts.ts";
import { labelsQuery } from "../../data/projects/labels.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { can } from "../../data/projects/projects.ts";
import { LabelDialog } from "./label-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";

type Opened = { kind: "add" } | { kind: "edit" | "delete"; label: Label } | undefined;

/** The labels that issues can have. */
export function LabelsSection({ project }: { project: Project }) {
  const labels = useQuery(labelsQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const mayChange = can(project, "project:update");
  const close = () => setOpened(undefined);
  const add = mayChange && (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
      Add label
    </Button>
  );
  return (
    <Panel title="Labels" lead="An issue can have several labels." actions={add}>
      <Loaded query={labels}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>
              No labels yet. Use labels to group issues across lanes and epics, for example by component or
              customer.
            </PanelEmpty>
          ) : (
            <PanelList label="Labels">
              {list.map((label) => (
                <PanelRow
                  key={label.id}
                  end={
                    mayChange && <LabelMenu label={label} onChoose={(kind) => setOpened({ kind, label })} />
                  }
                >
                  <span className="flex min-w-0" title={label.name}>
                    <Badge dot={label.color}>{label.name}</Badge>
                  </span>
                  <code className="text-text-3 text-sm max-sm:hidden">{label.color}</code>
                </PanelRow>
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {opened?.kind === "add" && <LabelDialog project={project} onClose={close} />}
      {opened?.kind === "edit" && <LabelDialog project={project} label={opened.label} onClose={close} />}
      <DeleteLabel
        project={project}
        label={opened?.kind === "delete" ? opened.label : undefined}
        onClose={close}
      />
    </Panel>
  );
}

type MenuProps = { label: Label; onChoose: (kind: "edit" | "delete") => void };

function LabelMenu({ label, onChoose }: MenuProps) {
  return (
    <Menu
      label={`Actions for ${label.name}`}
      align="end"
      trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${label.name}`} />}
      items={[
        { label: "Edit label", onSelect: () => onChoose("edit") },
        {
          label: "Delete label",
          danger: true,
          onSelect: () => onChoose("delete"),
        },
      ]}
    />
  );
}

type DeleteProps = { project: Project; label: Label | undefined; onClose: () => void };

function DeleteLabel({ project, label, onClose }: DeleteProps) {
  const remove = useSend({
    send: () => projectLabels.delete(project.id, label?.id),
    stale: [
      ["label", project.id],
      ["issue", project.id],
    ],
  });
  return (
    <ConfirmDialog
      open={label !== undefined}
      onClose={onClose}
      title={`Delete label ${label?.name ?? ""}?`}
      confirm="Delete label"
      done={`Label ${label?.name} deleted`}
      onConfirm={() => remove.mutateAsync()}
    >
      It will be removed from all issues. The issues are kept.
    </ConfirmDialog>
  );
}
