import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef } from "react";
import type { Person } from "../../shared/answers.ts";
import { QueryError } from "../page/query-error.tsx";
import { nameOf, peopleQuery } from "../data/projects/people.ts";
import { useProjects } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterRow } from "../kit/filter-row.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { selectFilter } from "../kit/select-filter.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { KIND_NAMES } from "./hit-mark.tsx";
import { asKind, KINDS, searchQuery } from "../data/search.ts";
import { MAX_RESULTS, SearchResults } from "./search-results.tsx";

/** All search results, filtered by kind and project. */
export function SearchPage() {
  const search = useSearch({ from: "/app/search" });
  const navigate = useNavigate();
  const projects = useProjects();
  const query = (search.query ?? "").trim();
  const kind = asKind(search.kind);
  const project = projects.find(({ key }) => key === search.project);
  const state = STATES.find(({ value }) => value === search.state)?.value;
  const me = useProfile().id;
  const people = usePeopleOf(project?.id);
  const authorId =
    search.author === "me" ? me : people.find(({ user_id }) => String(user_id) === search.author)?.user_id;
  const hits = useQuery(
    searchQuery({ query, kind, projectId: project?.id, state, authorId, limit: MAX_RESULTS }),
  );
  const results = useRef<HTMLDivElement>(null);
  // Enter and the arrow leave the box for the first result, from which J and K go on.
  const leaveBox = (event: KeyboardEvent) => {
    if ((event.key !== "ArrowDown" && event.key !== "Enter") || event.nativeEvent.isComposing) return;
    const first = results.current?.querySelector<HTMLElement>("[data-row]");
    if (!first || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    first.focus();
  };
  const set = (changes: Partial<typeof search>) =>
    void navigate({ to: "/search", search: { ...search, ...changes }, replace: true });
  const known = new Map(projects.map(({ id, key }) => [id, key]));
  const shown = hits.data?.filter(({ project_id }) => known.has(project_id));
  const isFiltered = [kind, project, state, authorId].some((filter) => filter !== undefined);

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
        aside={
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it adds keys to the field inside
          <div onKeyDown={leaveBox} className="ms-3 w-96 min-w-0 shrink-[9999]">
            <SearchField label="Search" autoFocus value={query} onChange={(text) => set({ query: text })} />
          </div>
        }
        tools={
          <>
            <FilterRow
              filters={[
                selectFilter({
                  name: "project",
                  label: "Project",
                  none: "All projects",
                  value: project?.key ?? "",
                  choices: projects.map(({ key, name }) => ({ value: key, label: name })),
                  onChange: (key) => set({ project: key, author: search.author === "me" ? "me" : "" }),
                }),
                selectFilter({
                  name: "state",
                  label: "State",
                  none: "Any state",
                  value: state ?? "",
                  choices: STATES,
                  onChange: (value) => set({ state: value }),
                }),
                selectFilter({
                  name: "author",
                  label: "Author",
                  none: "Any author",
                  value: search.author ?? "",
                  choices: [
                    { value: "me", label: "Me" },
                    ...people
                      .filter(({ user_id }) => user_id !== me)
                      .map((person) => ({ value: String(person.user_id), label: nameOf(person) })),
                  ],
                  onChange: (author) => set({ author }),
                }),
              ]}
            />
            <ViewsMenu page="search" project={project ?? null} search={search} maySave={query !== ""} />
          </>
        }
      />
      <div className="flex flex-1 flex-col bg-surface">
        {query === "" ? (
          <EmptyState
            drawing="search"
            title="Search"
            text="Find issues, epics, reports, errors, comments and projects by text, key or class name."
          />
        ) : hits.isError ? (
          <QueryError error={hits.error} retry={() => void hits.refetch()} />
        ) : !shown ? (
          <Skeleton lines={2} label="Searching" />
        ) : shown.length === 0 ? (
          <EmptyState
            drawing="search"
            title={`No results for “${query}”`}
            text={isFiltered ? "Clear the filters or try different words." : "Try fewer or different words."}
            action={
              isFiltered && (
                <Button onClick={() => void navigate({ to: "/search", search: { query }, replace: true })}>
                  Clear filters
                </Button>
              )
            }
          />
        ) : (
          <div ref={results}>
            <SearchResults
              hits={shown}
              query={query}
              projectOf={(id) => projects.find((one) => one.id === id)}
            />
          </div>
        )}
      </div>
    </>
  );
}

const STATES = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Closed" },
] as const;

/** The people of a project, by whom results can be filtered; nobody without a project. */
function usePeopleOf(projectId: number | undefined): Person[] {
  const people = useQuery({ ...peopleQuery(projectId ?? 0), enabled: projectId !== undefined });
  return projectId === undefined ? [] : (people.data ?? []);
}
