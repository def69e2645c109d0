import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Search, SearchX } from "lucide-react";
import type { SearchHit } from "../../shared/search.ts";
import { QueryError } from "../page/query-error.tsx";
import { useProjects } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterSelect } from "../kit/filter-select.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { HitMark, KIND_NAMES } from "./hit-mark.tsx";
import { stateOf } from "./hit-state.ts";
import { addressOf, asKind, KINDS, searchQuery } from "../data/search.ts";
import { useRowKeys } from "../lists/use-row-keys.ts";

const MAX_RESULTS = 50;

/** All search results, filtered by kind and project. */
export function SearchPage() {
  const search = useSearch({ from: "/app/search" });
  const navigate = useNavigate();
  const projects = useProjects();
  const query = (search.query ?? "").trim();
  const kind = asKind(search.kind);
  const project = projects.find(({ key }) => key === search.project);
  const hits = useQuery(searchQuery({ query, kind, projectId: project?.id, limit: MAX_RESULTS }));
  const known = new Map(projects.map(({ id, key }) => [id, key]));
  const shown = hits.data?.filter(({ project_id }) => known.has(project_id));
  const isFiltered = kind !== undefined || project !== undefined;

  return (
    <>
      <PageHeader
        title="Search"
        tabs={
          <TabLinks
            label="Kind"
            tabs={[undefined, ...KINDS].map((one) => ({
              label: one === undefined ? "All" : `${KIND_NAMES[one]}s`,
              current: one === kind,
              link: <Link to="/search" search={{ ...search, kind: one ?? "" }} replace />,
            }))}
          />
        }
        tools={
          <>
            <SearchField
              label="Search"
              autoFocus
              className="w-72 max-sm:w-full"
              value={query}
              onChange={(text) =>
                void navigate({ to: "/search", search: { ...search, query: text }, replace: true })
              }
            />
            <FilterSelect
              label="Project"
              none="All projects"
              value={project?.key ?? ""}
              choices={projects.map(({ key, name }) => ({ value: key, label: name }))}
              onChange={(key) =>
                void navigate({ to: "/search", search: { ...search, project: key }, replace: true })
              }
            />
          </>
        }
      />
      {query === "" ? (
        <EmptyState
          icon={Search}
          title="Search"
          text="Find issues, epics, reports, errors, comments and projects by text, key or class name."
        />
      ) : hits.isError ? (
        <QueryError error={hits.error} retry={() => void hits.refetch()} />
      ) : !shown ? (
        <Skeleton height={64} label="Searching" />
      ) : shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={`No results for “${query}”`}
          text={isFiltered ? "Clear the filters or try other words." : "Try fewer or other words."}
          action={
            isFiltered && (
              <Button onClick={() => void navigate({ to: "/search", search: { query }, replace: true })}>
                Clear filters
              </Button>
            )
          }
        />
      ) : (
        <Results hits={shown} keyOf={(id) => known.get(id) ?? ""} />
      )}
    </>
  );
}

function Results({ hits, keyOf }: { hits: SearchHit[]; keyOf: (projectId: number) => string }) {
  const keys = useRowKeys(hits.length);
  return (
    <div id={keys.boxId} className="bg-surface">
      <p role="status" className="sr-only">
        {hits.length} results
      </p>
      <ul aria-label="Results">
        {hits.map((hit, index) => (
          <li key={`${hit.kind}-${hit.id}`}>
            <Row
              height={64}
              current={keys.cursor === index}
              end={<span className="text-sm text-text-3">{stateOf(hit)}</span>}
            >
              <HitMark kind={hit.kind} />
              <div className="min-w-0">
                <p className="flex min-w-0 gap-2">
                  {hit.key !== null && <span className="shrink-0 text-text-3">{hit.key}</span>}
                  <Link
                    {...keys.row(index)}
                    to={addressOf(hit, keyOf(hit.project_id))}
                    className={rowLink}
                    title={hit.title}
                    draggable={false}
                  >
                    <RowText>{hit.title}</RowText>
                  </Link>
                </p>
                <p className="truncate text-sm text-text-2">
                  <RowText>{hit.excerpt || `${KIND_NAMES[hit.kind]} in ${keyOf(hit.project_id)}`}</RowText>
                </p>
              </div>
            </Row>
          </li>
        ))}
      </ul>
      {hits.length === MAX_RESULTS && (
        <p className="px-4 py-3 text-text-2">
          Only the best {MAX_RESULTS} results are shown. Add words to narrow the search.
        </p>
      )}
    </div>
  );
}
