import { Link } from "@tanstack/react-router";
import { CheckCheck, Settings2 } from "lucide-react";
import { useUnread } from "../data/unread.ts";
import { useProjects } from "../data/projects.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Select } from "../kit/select.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { KINDS } from "./kinds.ts";
import type { Inbox } from "./use-inbox.ts";

export function InboxHeader({ inbox }: { inbox: Inbox }) {
  const { all, type, project, shown } = inbox;
  const unread = useUnread();
  const projects = useProjects();
  const filters = { ...(type ? { type } : {}), ...(project ? { project } : {}) };
  const isFiltered = type !== undefined || project !== undefined;
  const listed = shown.filter(({ read_at }) => read_at === null);
  const choose = (change: { type?: string; project?: string }) => {
    const next = { ...filters, ...change };
    inbox.go({
      ...(all ? { filter: "all" } : {}),
      ...(next.type ? { type: next.type } : {}),
      ...(next.project ? { project: next.project } : {}),
    });
  };
  return (
    <PageHeader
      title="Inbox"
      actions={
        <>
          <Button
            icon={CheckCheck}
            disabled={isFiltered ? listed.length === 0 : unread === 0}
            onClick={() => void inbox.readAll()}
          >
            {isFiltered ? "Mark these as read" : "Mark all as read"}
          </Button>
          <Link to="/settings/notifications" className={buttonClass({ variant: "quiet" })}>
            <Settings2 aria-hidden size={16} />
            Preferences
          </Link>
        </>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
        <TabLinks
          label="Notifications"
          tabs={[
            {
              label: "Unread",
              current: !all,
              count: unread,
              link: <Link to="/notifications" search={filters} />,
            },
            {
              label: "All",
              current: all,
              link: <Link to="/notifications" search={{ ...filters, filter: "all" }} />,
            },
          ]}
        />
        <div className="flex min-w-0 gap-2 pb-2 max-sm:w-full">
          <Select
            aria-label="Type"
            className="max-sm:flex-1"
            value={type ?? ""}
            onChange={(event) => choose({ type: event.target.value })}
            options={[
              { value: "", label: "All types" },
              ...Object.entries(KINDS).map(([value, { plural }]) => ({ value, label: plural })),
            ]}
          />
          <Select
            aria-label="Project"
            className="max-w-48 max-sm:flex-1"
            value={project ?? ""}
            onChange={(event) => choose({ project: event.target.value })}
            options={[
              { value: "", label: "All projects" },
              ...projects.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        </div>
      </div>
    </PageHeader>
  );
}
