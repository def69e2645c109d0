import { EllipsisVertical } from "lucide-react";
import type { Project } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { Badge } from "../../kit/badge.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Switch } from "../../kit/switch.tsx";
import { Time, useNow } from "../../kit/dates/time.tsx";
import { isExpired } from "../../forms/expiry.ts";
import { PanelRow, TwoLines } from "../../forms/panel.tsx";
import { useSwitchToken } from "../../data/projects/change-project-parts.ts";

const ACCESS_WORDS = { read: "Read", read_write: "Read & write" } as const;

type Props = { project: Project; token: ProjectToken; onEdit: () => void; onRevoke: () => void };

export function TokenRow({ project, token, onEdit, onRevoke }: Props) {
  const expired = isExpired(token, useNow());
  const change = useSwitchToken(project.id, token);
  return (
    <PanelRow
      end={
        <>
          <Switch
            label={`${token.name} is active`}
            hideLabel
            checked={token.active}
            onChange={(active) => change.mutate({ active })}
          />
          <Menu
            label={`Actions for ${token.name}`}
            align="end"
            trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${token.name}`} />}
            items={[
              { label: "Edit token", onSelect: onEdit },
              { label: "Revoke token", danger: true, onSelect: onRevoke },
            ]}
          />
        </>
      }
    >
      <TwoLines
        title={token.name}
        badges={
          <>
            <Badge>{ACCESS_WORDS[token.access]}</Badge>
            {expired ? (
              <Badge tone="warn">Expired</Badge>
            ) : (
              !token.active && <Badge tone="ignored">Turned off</Badge>
            )}
          </>
        }
        text={<Facts project={project} token={token} expired={expired} />}
      />
    </PanelRow>
  );
}

function Facts({ project, token, expired }: Pick<Props, "project" | "token"> & { expired: boolean }) {
  const maker = usePeople(project.id).of(token.created_by);
  return (
    <span className="flex flex-wrap gap-x-3 whitespace-normal">
      <code>…{token.last_four}</code>
      <span>
        {token.last_used_at ? (
          <>
            Last used <Time at={token.last_used_at} />
          </>
        ) : (
          "Never used"
        )}
      </span>
      <span>
        {token.expires_at ? (
          <>
            {expired ? "Expired" : "Expires"} <Time at={token.expires_at} as="date" />
          </>
        ) : (
          "Does not expire"
        )}
      </span>
      {maker && (
        <span>
          Created by <bdi>{nameOf(maker)}</bdi>
        </span>
      )}
    </span>
  );
}
