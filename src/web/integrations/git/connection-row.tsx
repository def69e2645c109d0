import type { GitConnection } from "../../../shared/git.ts";
import type { Project } from "../../../shared/projects.ts";
import { PanelRow } from "../../forms/panel.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { IconSlot } from "../../kit/icon.tsx";
import { ConnectLink, ownerOfProject } from "../owner.tsx";
import { GIT_SERVICES } from "../services.ts";

/** A Git host in the list of what is connected. */
export function ConnectionRow({ project, connection }: { project: Project; connection: GitConnection }) {
  const { host, name, last_delivery_at } = connection;
  const { label, icon } = GIT_SERVICES[host];
  const isNew = last_delivery_at === null;
  return (
    <PanelRow
      end={<Badge tone={isNew ? "warn" : "resolved"}>{isNew ? "Waiting for a delivery" : "Active"}</Badge>}
    >
      <span className="text-text-3 shrink-0">
        <IconSlot icon={icon} size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <ConnectLink
          owner={ownerOfProject(project)}
          service={host}
          className="block truncate rounded-sm font-medium hover:underline"
        >
          {name === null ? label : `${label}: ${name}`}
        </ConnectLink>
        <p className="text-text-3 text-sm">
          {isNew ? (
            <>
              Created <Time at={connection.created_at} />
            </>
          ) : (
            <>
              Last delivery <Time at={last_delivery_at} />
            </>
          )}
        </p>
      </div>
    </PanelRow>
  );
}
