import { EllipsisVertical } from "lucide-react";
import type { IngestKey } from "../../../shared/ingest-keys.ts";
import type { Project } from "../../../shared/projects.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { PanelRow, TwoLines } from "../../forms/panel.tsx";
import { Badge } from "../../kit/badge.tsx";
import { CopyButton } from "../../kit/copy-button.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Switch } from "../../kit/switch.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { useSwitchIngestKey } from "../../data/projects/change-project-parts.ts";

type Props = { project: Project; ingestKey: IngestKey; onEdit: () => void; onDelete: () => void };

export function IngestKeyRow({ project, ingestKey, onEdit, onDelete }: Props) {
  const { name, dsn, active, allowed_origins, last_used_at, created_by } = ingestKey;
  const people = usePeople(project.id);
  const creator = created_by === null ? undefined : people.of(created_by);
  const change = useSwitchIngestKey(project.id, ingestKey);
  return (
    <PanelRow
      end={
        <>
          <CopyButton label={`Copy the DSN of ${name}`} text={dsn} />
          <Switch
            label={`${name} is active`}
            hideLabel
            checked={active}
            onChange={(next) => change.mutate({ active: next })}
          />
          <Menu
            label={`Actions for ${name}`}
            align="end"
            trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${name}`} />}
            items={[
              { label: "Edit key", onSelect: onEdit },
              { label: "Delete key", danger: true, onSelect: onDelete },
            ]}
          />
        </>
      }
    >
      <TwoLines
        title={name}
        badges={!active && <Badge tone="ignored">Turned off</Badge>}
        text={
          <span className="flex flex-col whitespace-normal">
            <code className="truncate" title={dsn}>
              {dsn}
            </code>
            <span className="flex flex-wrap gap-x-3">
              <span>
                {last_used_at ? (
                  <>
                    Last used <Time at={last_used_at} />
                  </>
                ) : (
                  "Never used"
                )}
              </span>
              <span className="break-all">{originsText(allowed_origins)}</span>
              {creator && (
                <span>
                  Created by <bdi>{nameOf(creator)}</bdi>
                </span>
              )}
            </span>
          </span>
        }
      />
    </PanelRow>
  );
}

/** "https://a.example, https://b.example and 3 more" */
function originsText(origins: readonly string[]): string {
  if (origins.length === 0) return "Any origin";
  const shown = origins.slice(0, 2).join(", ");
  return origins.length > 2 ? `${shown} and ${origins.length - 2} more` : shown;
}
