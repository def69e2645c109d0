import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { given } from "../page/search-params.ts";
import { Download } from "lucide-react";
import type { Workspace } from "../../shared/workspaces.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty } from "../forms/panel.tsx";
import { Button, LinkButton } from "../kit/button.tsx";
import { AuditFilters, type AuditSearch } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { auditCsv, auditQuery } from "../data/projects/audit-log.ts";

export function AuditSection({ workspace }: { workspace: Workspace }) {
  const { kind, actor, since, until } = useSearch({ from: "/app/workspaces/$workspaceId/settings" });
  const navigate = useNavigate();
  const view = { kind, actor_id: actor, since, until };
  const events = useInfiniteQuery({ ...auditQuery(workspace.id, view), placeholderData: keepPreviousData });
  const search: AuditSearch = { kind, actor, since, until };
  const change = (changes: AuditSearch) =>
    void navigate({
      to: ".",
      search: { section: "audit", ...given({ ...search, ...changes }) },
      replace: true,
    });
  const clear = () => void navigate({ to: ".", search: { section: "audit" } });
  const isFiltered = Object.keys(given(search)).length > 0;
  return (
    <Panel
      title="Audit log"
      lead="Who did what, when and from where. Newest first."
      actions={
        <LinkButton href={auditCsv(workspace.id, view)} download icon={Download}>
          Download as CSV
        </LinkButton>
      }
    >
      <AuditFilters workspace={workspace} search={search} onChange={change} />
      <Loaded query={events} rows={8}>
        {({ pages }) => {
          const list = pages.flatMap(({ data }) => data);
          if (list.length > 0)
            return (
              <ul aria-label="Events" aria-busy={events.isPlaceholderData} className="divide-line divide-y">
                {list.map((event) => (
                  <AuditRow key={event.id} event={event} />
                ))}
              </ul>
            );
          return isFiltered ? (
            <PanelEmpty action={<Button onClick={clear}>Clear filters</Button>}>
              No events match these filters.
            </PanelEmpty>
          ) : (
            <PanelEmpty>
              Nothing yet. Sign-ins, tokens, members, roles, settings and deletions are recorded here.
            </PanelEmpty>
          );
        }}
      </Loaded>
      {events.hasNextPage && (
        <div className="border-line border-t p-2 text-center">
          <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            Show older events
          </Button>
        </div>
      )}
    </Panel>
  );
}
