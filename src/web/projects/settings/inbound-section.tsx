import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { InboundRule } from "../../../shared/inbound-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { inboundRulesQuery } from "../../data/project-settings.ts";
import { can } from "../../data/projects.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { compactCount, countOf } from "../../kit/count-text.ts";
import { kindOf } from "./inbound-kinds.ts";
import { InboundRuleDialog } from "./inbound-rule-dialog.tsx";
import { RuleRow } from "./rule-row.tsx";

type Opened = { kind: "add" } | { kind: "edit" | "delete"; rule: InboundRule } | undefined;

/** Which events are dropped on arrival, and how many. */
export function InboundSection({ project }: { project: Project }) {
  const rules = useQuery(inboundRulesQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const mayChange = can(project, "project:update");
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Inbound rules"
      lead="Events that match a rule are dropped when they arrive, and count as filtered in Usage. Apps that send them get a success response."
      actions={
        mayChange && (
          <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
            Add rule
          </Button>
        )
      }
    >
      <Loaded query={rules}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>
              No rules: every event is stored. Add one for errors that you cannot fix, such as those of
              browser extensions.
            </PanelEmpty>
          ) : (
            <PanelList label="Inbound rules">
              {list.map((rule) => (
                <RuleRow
                  key={rule.id}
                  name={titleOf(rule)}
                  path={`/api/projects/${project.id}/inbound-rules/${rule.id}`}
                  queryKey={["project_rule", project.id]}
                  active={rule.active}
                  mayChange={mayChange}
                  text={<span className="whitespace-normal">{aboutOf(rule)}</span>}
                  aside={<Dropped count={rule.dropped_30_days} />}
                  onEdit={rule.pattern === null ? undefined : () => setOpened({ kind: "edit", rule })}
                  onDelete={() => setOpened({ kind: "delete", rule })}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {opened?.kind === "add" && (
        <InboundRuleDialog project={project} taken={rules.data ?? []} onClose={close} />
      )}
      {opened?.kind === "edit" && (
        <InboundRuleDialog project={project} taken={[]} rule={opened.rule} onClose={close} />
      )}
      <DeleteRule
        project={project}
        rule={opened?.kind === "delete" ? opened.rule : undefined}
        onClose={close}
      />
    </Panel>
  );
}

/** "Message: ^ResizeObserver" */
const titleOf = ({ kind, pattern }: InboundRule) =>
  pattern === null ? kindOf(kind).label : `${kindOf(kind).label}: ${pattern}`;

const aboutOf = ({ kind, pattern }: InboundRule) =>
  pattern === null ? kindOf(kind).hint : `Events whose ${kindOf(kind).label.toLowerCase()} matches.`;

function Dropped({ count }: { count: number }) {
  return (
    <span
      className="text-text-2 text-sm tabular-nums"
      title={`${countOf(count, "event")} dropped in the last 30 days`}
    >
      {compactCount(count)} dropped<span className="sr-only"> in the last 30 days</span>
    </span>
  );
}

type DeleteProps = { project: Project; rule: InboundRule | undefined; onClose: () => void };

function DeleteRule({ project, rule, onClose }: DeleteProps) {
  const remove = useSend({
    send: () => api.delete(`/api/projects/${project.id}/inbound-rules/${rule?.id}`),
    stale: [["project_rule", project.id]],
  });
  return (
    <ConfirmDialog
      open={rule !== undefined}
      onClose={onClose}
      title={`Delete ${rule ? titleOf(rule) : ""}?`}
      confirm="Delete rule"
      onConfirm={() => remove.mutateAsync()}
    >
      Events that it drops will be stored from now on.
    </ConfirmDialog>
  );
}
