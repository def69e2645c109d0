import { useQuery } from "@tanstack/react-query";
import { EllipsisVertical, Plus } from "lucide-react";
import { useState } from "react";
import type { IssueTemplate } from "../../../shared/issue-templates.ts";
import type { Project } from "../../../shared/projects.ts";
import { issueTemplates } from "../../data/projects/project-parts.ts";
import { issueTemplatesQuery } from "../../data/issues/issue-templates.ts";
import { can } from "../../data/projects/projects.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { PRIORITY_WORDS } from "../../marks/priority-mark.tsx";
import { TYPE_WORDS } from "../../marks/type-mark.tsx";
import { TemplateDialog } from "./template-dialog.tsx";

type Opened = { kind: "add" } | { kind: "edit" | "delete"; template: IssueTemplate } | undefined;

/** What new issues can start with. */
export function TemplatesSection({ project }: { project: Project }) {
  const templates = useQuery(issueTemplatesQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const mayChange = can(project, "project:update");
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Issue templates"
      lead="A new issue can start with the title, description and properties of a template."
      actions={
        mayChange && (
          <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
            Add template
          </Button>
        )
      }
    >
      <Loaded query={templates}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>
              No templates yet. Use one for what every bug report or request should say, such as the steps to
              reproduce.
            </PanelEmpty>
          ) : (
            <PanelList label="Issue templates">
              {list.map((template) => (
                <TemplateRow
                  key={template.id}
                  template={template}
                  mayChange={mayChange}
                  onEdit={() => setOpened({ kind: "edit", template })}
                  onDelete={() => setOpened({ kind: "delete", template })}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {opened?.kind === "add" && <TemplateDialog project={project} onClose={close} />}
      {opened?.kind === "edit" && (
        <TemplateDialog project={project} template={opened.template} onClose={close} />
      )}
      <DeleteTemplate
        project={project}
        template={opened?.kind === "delete" ? opened.template : undefined}
        onClose={close}
      />
    </Panel>
  );
}

type RowProps = {
  template: IssueTemplate;
  mayChange: boolean;
  onEdit: () => void;
  onDelete: () => void;
};

function TemplateRow({ template, mayChange, onEdit, onDelete }: RowProps) {
  const { id, project_id, name, title, type, priority, is_default } = template;
  const change = useSend({
    send: () => issueTemplates.change(project_id, id, { is_default: !is_default }),
    stale: [["issue_template", project_id]],
    failed: "The template could not be changed",
  });
  return (
    <PanelRow
      end={
        mayChange && (
          <Menu
            label={`Actions for ${name}`}
            align="end"
            trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${name}`} />}
            items={[
              { label: "Edit template", onSelect: onEdit },
              {
                label: is_default ? "Stop using by default" : "Use by default",
                onSelect: () => change.mutate(),
              },
              { label: "Delete template", danger: true, onSelect: onDelete },
            ]}
          />
        )
      }
    >
      <TwoLines
        title={name}
        badges={is_default && <Badge>Default</Badge>}
        text={
          <>
            {TYPE_WORDS[type]} · {PRIORITY_WORDS[priority]}
            {title !== null && <span dir="auto"> · {title}</span>}
          </>
        }
      />
    </PanelRow>
  );
}

type DeleteProps = { project: Project; template: IssueTemplate | undefined; onClose: () => void };

function DeleteTemplate({ project, template, onClose }: DeleteProps) {
  const remove = useSend({
    send: () => issueTemplates.delete(project.id, template?.id),
    stale: [["issue_template", project.id]],
  });
  return (
    <ConfirmDialog
      open={template !== undefined}
      onClose={onClose}
      title={`Delete template ${template?.name ?? ""}?`}
      confirm="Delete template"
      done={`Template ${template?.name} deleted`}
      onConfirm={() => remove.mutateAsync()}
    >
      Issues that were created from it stay as they are.
    </ConfirmDialog>
  );
}
