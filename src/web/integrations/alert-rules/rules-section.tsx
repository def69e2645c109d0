import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { AlertRule } from "../../../shared/alert-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { alertRulesQuery, deleteAlertRule } from "../../data/integrations/alert-rules.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { AlertRuleRow } from "./rule-row.tsx";
import { useNames } from "./use-names.ts";

/** The alert rules of a project, each as a sentence. */
export function AlertRulesSection({ project }: { project: Project }) {
  const rules = useQuery(alertRulesQuery(project.id));
  const choices = useNames(project);
  const [edited, setEdited] = useState<{ rule?: AlertRule }>();
  const [removed, setRemoved] = useState<AlertRule>();
  const remove = useSend({
    send: () => deleteAlertRule(project.id, removed?.id),
    stale: [["alert_rule", project.id]],
  });
  return (
    <Panel
      title="Alert rules"
      lead="A rule says what should happen when something goes wrong. The first three rules of a project notify the people who watch its errors."
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setEdited({})}>
          Add rule
        </Button>
      }
    >
      <Loaded query={rules}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>No rules: nobody is notified of new and regressed errors.</PanelEmpty>
          ) : (
            <PanelList label="Alert rules">
              {list.map((rule) => (
                <AlertRuleRow
                  key={rule.id}
                  project={project}
                  rule={rule}
                  names={choices.names}
                  onEdit={() => setEdited({ rule })}
                  onDelete={() => setRemoved(rule)}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {edited && (
        <RuleDialog
          project={project}
          choices={choices}
          rule={edited.rule}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`Delete ${removed?.name ?? ""}?`}
        confirm="Delete rule"
        done={`Rule ${removed?.name ?? ""} deleted`}
        onConfirm={() => remove.mutateAsync()}
      >
        It will not fire again. To silence it for a while, mute it instead.
      </ConfirmDialog>
    </Panel>
  );
}
