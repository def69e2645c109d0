import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../app/dialogs.tsx";
import { can } from "../projects/queries.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { TabLinks } from "../ui/tabs.tsx";
import { VIEW_WORDS, VIEWS } from "./report-views.ts";
import type { Triage } from "./use-triage.ts";
import { WatchBell } from "./watch-bell.tsx";

/** The views with their counts, and what is searched for in them. */
export function TriageHeader({ project, triage }: { project: Project; triage: Triage }) {
  const { view, query, counts, reports } = triage;
  const params = { projectKey: project.key };
  return (
    <PageHeader
      title="Triage"
      actions={
        <>
          <WatchBell projectId={project.id} />
          {can(project, "reports:create") && (
            <Button icon={Plus} onClick={() => openDialog({ kind: "new-report" })}>
              New report
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <TabLinks
          label="Reports"
          tabs={VIEWS.map((one) => ({
            label: VIEW_WORDS[one],
            current: one === view,
            count: reports.data === undefined ? undefined : counts[one],
            link: (
              <Link
                to="/projects/$projectKey/triage"
                params={params}
                search={{ ...(one === "active" ? {} : { view: one }), ...(query === "" ? {} : { query }) }}
              />
            ),
          }))}
        />
        <SearchField project={project} triage={triage} />
      </div>
    </PageHeader>
  );
}

const SETTLE_MS = 150;

/** Typed here, kept in the address a moment later. */
function SearchField({ project, triage: { query, viewText } }: { project: Project; triage: Triage }) {
  const navigate = useNavigate();
  const [text, setText] = useState(query);
  const sent = useRef(query);
  useEffect(() => {
    // The address changed by itself: back, a link, a cleared filter.
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      void navigate({
        to: "/projects/$projectKey/triage",
        params: { projectKey: project.key },
        search: {
          ...(viewText === undefined ? {} : { view: viewText }),
          ...(text === "" ? {} : { query: text }),
        },
        replace: true,
      });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, viewText, navigate, project.key]);
  return (
    <div role="search" className="w-60 max-w-full pb-1.5 max-sm:w-full">
      <Input
        type="search"
        icon={Search}
        aria-label="Search the reports"
        placeholder="Search the reports"
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
