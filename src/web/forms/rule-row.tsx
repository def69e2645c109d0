import type { QueryKey } from "@tanstack/react-query";
import { EllipsisVertical } from "lucide-react";
import type { ReactNode } from "react";
import { PanelRow, TwoLines } from "./panel.tsx";
import { useSend } from "./use-send.ts";
import { Badge } from "../kit/badge.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { Switch } from "../kit/switch.tsx";

type Props = {
  name: string;
  send: (changes: { active: boolean }) => Promise<unknown>;
  /** The queries that contain the rule. */
  queryKey: QueryKey;
  active: boolean;
  mayChange: boolean;
  text: ReactNode;
  /** Shown before the switch. */
  aside?: ReactNode;
  /** Shown while the rule is off. */
  offLabel?: string | undefined;
  /** Shown while the rule is on. */
  badge?: ReactNode;
  onEdit?: (() => void) | undefined;
  /** What else the menu offers. */
  actions?: (() => MenuEntry[]) | undefined;
  onDelete: () => void;
};

/** A rule of the project that can be turned off. */
export function RuleRow(props: Props) {
  const { name, send, queryKey, active, mayChange, text, aside, onEdit, onDelete } = props;
  const { offLabel = "Turned off", badge, actions } = props;
  const change = useSend<boolean>({
    send: (next) => send({ active: next }),
    stale: [queryKey],
    failed: "The rule could not be changed",
  });
  const isOn = change.isPending ? change.variables : active;
  return (
    <PanelRow
      end={
        <>
          {aside}
          {mayChange && (
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
                  ...(onEdit ? [{ label: "Edit rule", onSelect: onEdit }] : []),
                  ...(actions?.() ?? []),
                  { label: "Delete rule", danger: true, onSelect: onDelete },
                ]}
              />
            </>
          )}
        </>
      }
    >
      <TwoLines title={name} badges={isOn ? badge : <Badge tone="ignored">{offLabel}</Badge>} text={text} />
    </PanelRow>
  );
}
