import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Bug, CircleUser, FolderKanban, Inbox, type LucideIcon, Plus, Search } from "lucide-react";
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { unreadQuery, unreadText } from "../data/unread.ts";
import { issuesQuery } from "../data/issues.ts";
import { type RowLinkProps, useRowKeys } from "../lists/use-row-keys.ts";
import { useProfile } from "../data/session.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Input } from "../kit/input.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { errorsTodayQuery } from "../data/overview.ts";
import { can, useProjects, workspacesQuery } from "../data/projects.ts";
import { byRecency } from "../data/recent-projects.ts";

/** The start page: what needs attention, and the projects, most recently opened first. */
export function HomePage() {
  const profile = useProfile();
  const projects = useProjects();
  const workspaces = useQuery(workspacesQuery);
  // Every member of a workspace may create projects.
  const mayCreate = workspaces.data === undefined || workspaces.data.length > 0;
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => openDialog({ kind: "new-project" })}>
      New project
    </Button>
  );
  return (
    <>
      <PageHeader title={`Hello, ${profile.first_name}`} actions={projects.length > 0 && create} />
      {projects.length === 0 ? (
        <EmptyState
          icon={FolderKanban}
          title="No projects yet"
          text={
            mayCreate
              ? "A project holds the reports, errors and issues of one product. Create one, or ask to be added to one."
              : "You aren’t a member of a workspace yet. Ask an administrator to add you to one."
          }
          action={create}
        />
      ) : (
        <div className="flex max-w-4xl flex-col gap-6 py-4">
          <Waiting projects={projects} />
          <Projects projects={projects} />
        </div>
      )}
    </>
  );
}

function Projects({ projects }: { projects: readonly Project[] }) {
  const [text, setText] = useState("");
  const words = text.trim().toLowerCase();
  const shown = byRecency(projects).filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(words));
  const keys = useRowKeys(shown.length);
  const openFirst = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing)
      document.getElementById(keys.boxId)?.querySelector<HTMLElement>("[data-row]")?.click();
  };
  return (
    <section aria-labelledby="projects">
      <div className="flex items-center justify-between gap-4 px-4 pb-2">
        <h2 id="projects" className="font-semibold">
          Projects <span className="font-normal text-text-3">{projects.length}</span>
        </h2>
        <Input
          icon={Search}
          type="search"
          aria-label="Filter projects"
          placeholder="Filter"
          value={text}
          className="w-48"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={openFirst}
        />
      </div>
      <ul id={keys.boxId} className="border-line bg-surface border-t">
        {shown.map((project, index) => (
          <li key={project.id}>
            <ProjectRow project={project} current={keys.cursor === index} row={keys.row(index)} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-3">
          <p role="status" className="text-text-2">
            No projects match this filter.
          </p>
          <Button size="sm" onClick={() => setText("")}>
            Clear filter
          </Button>
        </div>
      )}
    </section>
  );
}

type ProjectRowProps = { project: Project; current: boolean; row: RowLinkProps };

function ProjectRow({ project, current, row }: ProjectRowProps) {
  return (
    <Row
      height={64}
      current={current}
      end={project.is_owner ? <span className="text-text-3 text-sm">Owner</span> : undefined}
    >
      <span
        title={project.key}
        className="bg-accent-tint text-accent-text w-20 shrink-0 truncate rounded-sm px-1 py-1 text-center text-xs font-semibold"
      >
        {project.key}
      </span>
      <div className="min-w-0">
        <p className="flex">
          <Link
            {...row}
            to="/projects/$projectKey"
            params={{ projectKey: project.key }}
            className={rowLink}
            title={project.name}
            draggable={false}
          >
            <RowText>{project.name}</RowText>
          </Link>
        </p>
        {project.description && (
          <p className="text-text-2 truncate text-sm">
            <RowText>{project.description}</RowText>
          </p>
        )}
      </div>
    </Row>
  );
}

/** Counts of what needs the user's attention. */
function Waiting({ projects }: { projects: readonly Project[] }) {
  const readsErrors = projects.some(
    (project) => project.features.error_tracking && can(project, "error-groups:read"),
  );
  const unread = useQuery(unreadQuery).data;
  const mine = useQuery(issuesQuery(null, { assignee_id: "me" }));
  const errors = useQuery({ ...errorsTodayQuery, enabled: readsErrors }).data;
  const open = mine.data?.filter(({ closed_at }) => closed_at === null).length;
  return (
    <section aria-labelledby="waiting" className="px-4">
      <h2 id="waiting" className="sr-only">
        Needs your attention
      </h2>
      <ul className="grid gap-3 sm:grid-cols-3">
        <Tile
          link={<Link to="/notifications" />}
          icon={Inbox}
          number={unread === undefined ? undefined : unreadText(unread)}
          words="unread in your inbox"
        />
        <Tile
          link={<Link to="/my-issues" />}
          icon={CircleUser}
          number={open === undefined ? undefined : String(open)}
          words={open === 1 ? "open issue assigned to you" : "open issues assigned to you"}
        />
        {readsErrors && (
          <Tile
            link={<Link to="/errors" />}
            icon={Bug}
            number={errors}
            words="open errors in the last 24 hours"
          />
        )}
      </ul>
    </section>
  );
}

type TileProps = {
  link: ReactElement<{ className?: string; children?: ReactNode }>;
  icon: LucideIcon;
  number: string | undefined;
  words: string;
};

function Tile({ link, icon: Icon, number, words }: TileProps) {
  return (
    <li>
      {cloneElement(
        link,
        {
          className:
            "border-line bg-surface hover:bg-hover flex h-full items-center gap-3 rounded-md border px-4 py-3",
        },
        <Icon aria-hidden size={18} strokeWidth={1.75} className="text-text-3 shrink-0" />,
        <span className="min-w-0">
          <span className="text-title block font-semibold">{number ?? "…"}</span>
          <span className="text-text-2 block">{words}</span>
        </span>,
      )}
    </li>
  );
}
