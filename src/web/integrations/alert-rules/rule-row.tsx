import { use } from "react";
import type { AlertRule } from "../../../shared/alert-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { changeAlertRule, muteAlertRule } from "../../data/integrations/alert-rules.ts";
import { RuleRow } from "../../forms/rule-row.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Badge } from "../../kit/badge.tsx";
import { snoozeTimes } from "../../kit/dates/snooze-times.ts";
import { Time, TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import type { MenuEntry } from "../../kit/menu-entry.ts";
import { type Names, sentenceOf } from "./sentence.ts";

type Props = {
  project: Project;
  rule: AlertRule;
  names: Names;
  onEdit: () => void;
  onDelete: () => void;
};

/** A rule as a sentence, with its switch. */
export function AlertRuleRow({ project, rule, names, onEdit, onDelete }: Props) {
  const { id, name, active, muted_until, last_fired_at } = rule;
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  const isMuted = muted_until !== null && Date.parse(muted_until) > now;
  const queryKey = ["alert_rule", project.id];
  const mute = useSend<Date | null>({
    send: (until) => muteAlertRule(project.id, id, until?.toISOString() ?? null),
    stale: [queryKey],
    failed: "The rule could not be muted",
  });
  const muting = (): MenuEntry =>
    isMuted
      ? { label: "Unmute", onSelect: () => mute.mutate(null) }
      : {
          label: "Mute until",
          items: snoozeTimes(new Date(), timeZone).map(({ label, at }) => ({
            label,
            onSelect: () => mute.mutate(at),
          })),
        };
  return (
    <RuleRow
      name={name}
      send={(changes) => changeAlertRule(project.id, id, changes)}
      queryKey={queryKey}
      active={active}
      mayChange
      badge={isMuted && <Badge tone="warn">Muted</Badge>}
      actions={() => [muting()]}
      onEdit={onEdit}
      onDelete={onDelete}
      text={
        <span className="flex flex-col whitespace-normal">
          <span className="text-text-2">{sentenceOf({ ...rule, actions: rule.then }, names)}</span>
          {isMuted && (
            <span>
              Muted until <Time at={muted_until} as="full" />
            </span>
          )}
          <span>
            {last_fired_at === null ? (
              "Never fired"
            ) : (
              <>
                Last fired <Time at={last_fired_at} />
              </>
            )}
          </span>
        </span>
      }
    />
  );
}
