import { EllipsisVertical } from "lucide-react";
import { use } from "react";
import type { AlertRule } from "../../../shared/alert-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { changeAlertRule, muteAlertRule } from "../../data/integrations/alert-rules.ts";
import { PanelRow, TwoLines } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Badge } from "../../kit/badge.tsx";
import { snoozeTimes } from "../../kit/dates/snooze-times.ts";
import { Time, TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Switch } from "../../kit/switch.tsx";
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
  const stale = [["alert_rule", project.id]];
  const change = useSend<boolean>({
    send: (next) => changeAlertRule(project.id, id, { active: next }),
    stale,
    failed: "The rule could not be changed",
  });
  const mute = useSend<Date | null>({
    send: (until) => muteAlertRule(project.id, id, until?.toISOString() ?? null),
    stale,
    failed: "The rule could not be muted",
  });
  const isOn = change.isPending ? change.variables : active;
  return (
    <PanelRow
      end={
        <>
          <Switch
            label={`${name} is active`}
            hideLabel
            checked={isOn}
            disabled={change.isPending}
            onChange={(next) => change.mutate(next)}
          />
          <Menu
            label={`Actions for ${name}`}
            align="end"
            trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${name}`} />}
            items={() => [
              { label: "Edit rule", onSelect: onEdit },
              isMuted
                ? { label: "Unmute", onSelect: () => mute.mutate(null) }
                : {
                    label: "Mute until",
                    items: snoozeTimes(new Date(), timeZone).map(({ label, at }) => ({
                      label,
                      onSelect: () => mute.mutate(at),
                    })),
                  },
              { label: "Delete rule", danger: true, onSelect: onDelete },
            ]}
          />
        </>
      }
    >
      <TwoLines
        title={name}
        badges={
          !isOn ? <Badge tone="ignored">Turned off</Badge> : isMuted && <Badge tone="warn">Muted</Badge>
        }
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
    </PanelRow>
  );
}
