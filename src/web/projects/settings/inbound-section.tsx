import { useQuery } from "@tanstack/react-query";
import type { InboundRule } from "../../../shared/inbound-rules.ts";
import { MAX_RULE_MS } from "../../../shared/rule-kinds.ts";
import type { Project } from "../../../shared/projects.ts";
import { inboundRulesQuery } from "../../data/projects/project-settings.ts";
import { compactCount, countOf } from "../../kit/count-text.ts";
import { kindOf } from "../../data/projects/inbound-kinds.ts";
import { InboundRuleDialog } from "./inbound-rule-dialog.tsx";
import { RulesPanel } from "./rules-panel.tsx";
import { inboundRules } from "../../data/projects/project-parts.ts";

/** Which events are dropped on arrival, and how many. */
export function InboundSection({ project }: { project: Project }) {
  const rules = useQuery(inboundRulesQuery(project.id));
  return (
    <RulesPanel
      project={project}
      title="Inbound rules"
      lead="Events that match a rule are dropped when they arrive, and count as filtered in Usage. Apps that send them get a success response."
      none="No rules: every event is stored. Add one for errors that you cannot fix, such as those of browser extensions."
      rules={inboundRules}
      query={rules}
      renderRow={(rule) => ({
        name: titleOf(rule),
        text: <span className="whitespace-normal">{rule.paused_at === null ? aboutOf(rule) : PAUSED}</span>,
        offLabel: rule.paused_at === null ? undefined : "Paused",
        aside: <Dropped count={rule.dropped_30_days} />,
        editable: rule.pattern !== null,
      })}
      renderDialog={(rule, close) => (
        <InboundRuleDialog
          project={project}
          taken={rules.data ?? []}
          {...(rule && { rule })}
          onClose={close}
        />
      )}
      deleted="Events that it drops will be stored from now on."
    />
  );
}

/** "Message: ^ResizeObserver" */
const titleOf = ({ kind, pattern }: InboundRule) =>
  pattern === null ? kindOf(kind).label : `${kindOf(kind).label}: ${pattern}`;

const aboutOf = ({ kind, pattern }: InboundRule) =>
  pattern === null ? kindOf(kind).hint : `Events whose ${kindOf(kind).label.toLowerCase()} matches.`;

const PAUSED = `Paused: it took longer than ${MAX_RULE_MS} ms on an event. Simplify the pattern and switch it on again.`;

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
