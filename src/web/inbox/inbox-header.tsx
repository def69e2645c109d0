import { Link } from "@tanstack/react-router";
import { CheckCheck, Settings2 } from "lucide-react";
import { useUnread } from "../data/inbox/unread.ts";
import { useProjects } from "../data/projects/projects.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { FilterRow } from "../kit/filter-row.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { selectFilter } from "../kit/select-filter.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { KINDS } from "./kinds.ts";
import type { Inbox } from "./use-inbox.ts";

export function InboxHeader({ inbox }: { inbox: Inbox }) {
  const { all, snoozed, type, project, shown } = inbox;
  const unread = useUnread();
  const filters = filtersOf(inbox);
  const isFiltered = type !== undefined || project !== undefined;
  const listed = shown.filter(({ read_at }) => read_at === null);
  return (
    <PageHeader
      title="Inbox"
      actions={
        <>
          {!snoozed && (
            <Button
              icon={CheckCheck}
              disabled={isFiltered ? listed.length === 0 : unread === 0}
              onClick={() => void inbox.readAll()}
            >
              {isFiltered ? "Mark these as read" : "Mark all as read"}
            </Button>
          )}
          <Link to="/settings/notifications" className={buttonClass({ variant: "quiet" })}>
            <Settings2 aria-hidden size={16} />
            <span className="max-sm:sr-only">Preferences</span>
          </Link>
        </>
      }
      tabs={
        <TabLinks
          label="Notifications"
          tabs={[
            {
              label: "Unread",
              current: !all && !snoozed,
              count: unread,
              link: <Link to="/notifications" search={filters} />,
            },
            {
              label: "All",
              current: all,
              link: <Link to="/notifications" search={{ ...filters, filter: "all" }} />,
            },
            {
              label: "Snoozed",
              current: snoozed,
              link: <Link to="/notifications" search={{ ...filters, filter: "snoozed" }} />,
            },
          ]}
        />
      }
      tools={<Filters inbox={inbox} />}
    />
  );
}

const filtersOf = ({ type, project }: Inbox) => ({
  ...(type ? { type } : {}),
  ...(project ? { project } : {}),
});

/** By type and project. */
function Filters({ inbox }: { inbox: Inbox }) {
  const { all, snoozed, type, project, counts } = inbox;
  const projects = useProjects();
  const choose = (change: { type?: string; project?: string }) => {
    const next = { ...filtersOf(inbox), ...change };
    inbox.go({
      ...(all ? { filter: "all" } : snoozed ? { filter: "snoozed" } : {}),
      ...(next.type ? { type: next.type } : {}),
      ...(next.project ? { project: next.project } : {}),
    });
  };
  return (
    <FilterRow
      filters={[
        selectFilter({
          name: "type",
          label: "Type",
          none: "All types",
          value: type ?? "",
          onChange: (next) => choose({ type: next }),
          choices: Object.entries(KINDS).map(([value, { plural }]) => ({
            value,
            label: withCount(plural, counts?.types[value]),
          })),
        }),
        selectFilter({
          name: "project",
          label: "Project",
          none: "All projects",
          value: project ?? "",
          onChange: (next) => choose({ project: next }),
          choices: projects.map(({ id, name }) => ({
            value: String(id),
            label: withCount(name, counts?.projects[id]),
          })),
        }),
      ]}
    />
  );
}

/** "Mentions (3)". */
const withCount = (name: string, unread = 0) => (unread > 0 ? `${name} (${unread})` : name);
