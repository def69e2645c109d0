import { Plus } from "lucide-react";
import { useState, type ComponentProps, type ReactNode } from "react";
import type { Project } from "../../../shared/projects.ts";
import { can } from "../../data/projects/projects.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { RuleRow } from "../../forms/rule-row.tsx";

type Rule = { id: number; active: boolean };

type Row = {
  name: string;
  text: ReactNode;
  /** Shown before the switch. */
  aside?: ReactNode;
  /** Shown while the rule is off. */
  offLabel?: string | undefined;
  /** Whether anything but `active` can change. */
  editable?: boolean;
};

type Props<R extends Rule> = {
  project: Project;
  title: string;
  lead: string;
  /** Shown without rules. */
  none: string;
  rules: {
    change: (projectId: number, id: number, changes: { active: boolean }) => Promise<unknown>;
    delete: (projectId: number, id: number | undefined) => Promise<unknown>;
  };
  query: ComponentProps<typeof Loaded<readonly R[]>>["query"];
  renderRow: (rule: R) => Row;
  /** Creates a rule, or edits the given one. */
  renderDialog: (rule: R | undefined, close: () => void) => ReactNode;
  /** The consequence of deleting a rule. */
  deleted: string;
};

/** The project's rules of one kind: add, edit, turn off, delete. */
export function RulesPanel<R extends Rule>(props: Props<R>) {
  const { project, title, lead, none, rules, query, renderRow, renderDialog, deleted } = props;
  const [edited, setEdited] = useState<{ rule?: R }>();
  const [removed, setRemoved] = useState<R>();
  const mayChange = can(project, "project:update");
  const queryKey = ["project_rule", project.id];
  const remove = useSend({ send: () => rules.delete(project.id, removed?.id), stale: [queryKey] });
  return (
    <Panel
      title={title}
      lead={lead}
      actions={
        mayChange && (
          <Button variant="primary" icon={Plus} onClick={() => setEdited({})}>
            Add rule
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>{none}</PanelEmpty>
          ) : (
            <PanelList label={title}>
              {list.map((rule) => {
                const { editable = true, ...shown } = renderRow(rule);
                return (
                  <RuleRow
                    key={rule.id}
                    {...shown}
                    send={(changes) => rules.change(project.id, rule.id, changes)}
                    queryKey={queryKey}
                    active={rule.active}
                    mayChange={mayChange}
                    onEdit={editable ? () => setEdited({ rule }) : undefined}
                    onDelete={() => setRemoved(rule)}
                  />
                );
              })}
            </PanelList>
          )
        }
      </Loaded>
      {edited && renderDialog(edited.rule, () => setEdited(undefined))}
      <ConfirmDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`Delete ${removed ? renderRow(removed).name : ""}?`}
        confirm="Delete rule"
        done={`Rule ${removed ? renderRow(removed).name : ""} deleted`}
        onConfirm={() => remove.mutateAsync()}
      >
        {deleted}
      </ConfirmDialog>
    </Panel>
  );
}
