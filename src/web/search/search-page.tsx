import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type Ref, useRef } from "react";
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
  const filters = useFilters(search);
  const { query, kind, project } = filters;
  const results = useRef<HTMLDivElement>(null);
  // Enter and the arrow leave the box for the first result, from which J and K go on.
  const leaveBox = (event: KeyboardEvent) => {
    if ((event.key !== "ArrowDown" && event.key !== "Enter") || event.nativeEvent.isComposing) return;
    const first = results.current?.querySelector<HTMLElement>("[data-row]");
    if (!first || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    first.focus();
  };
  const set = (changes: Partial<Search>) =>
    void navigate({ to: "/search", search: { ...search, ...changes }, replace: true });
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
            <Filters search={search} filters={filters} set={set} />
            <ViewsMenu page="search" project={project ?? null} search={search} maySave={query !== ""} />
          </>
        }
      />
      <div className="flex flex-1 flex-col bg-surface">
        <Results
          filters={filters}
          ref={results}
          onClear={() => void navigate({ to: "/search", search: { query }, replace: true })}
        />
      </div>
    </>
  );
}

type Search = {
  query?: string | undefined;
  kind?: string | undefined;
  project?: string | undefined;
  state?: string | undefined;
  author?: string | undefined;
};

/** What the address asks for, as far as it exists. */
function useFilters(search: Search) {
  const projects = useProjects();
  const me = useProfile().id;
  const project = projects.find(({ key }) => key === search.project);
  const people = usePeopleOf(project?.id);
  const author = people.find(({ user_id }) => String(user_id) === search.author);
  return {
    query: (search.query ?? "").trim(),
    kind: asKind(search.kind),
    project,
    state: STATES.find(({ value }) => value === search.state)?.value,
    authorId: search.author === "me" ? me : author?.user_id,
    people: people.filter(({ user_id }) => user_id !== me),
  };
}

type FiltersProps = {
  search: Search;
  filters: ReturnType<typeof useFilters>;
  set: (changes: Partial<Search>) => void;
};

function Filters({ search, filters, set }: FiltersProps) {
  const { project, state, people } = filters;
  const projects = useProjects();
  return (
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
            ...people.map((person) => ({ value: String(person.user_id), label: nameOf(person) })),
          ],
          onChange: (author) => set({ author }),
        }),
      ]}
    />
  );
}

type ResultsProps = {
  filters: ReturnType<typeof useFilters>;
  ref: Ref<HTMLDivElement>;
  onClear: () => void;
};

function Results({ filters, ref, onClear }: ResultsProps) {
  const { query, kind, project, state, authorId } = filters;
  const projects = useProjects();
  const hits = useQuery(
    searchQuery({ query, kind, projectId: project?.id, state, authorId, limit: MAX_RESULTS }),
  );
  const projectOf = (id: number) => projects.find((one) => one.id === id);
  const shown = hits.data?.filter(({ project_id }) => projectOf(project_id) !== undefined);
  const isFiltered = [kind, project, state, authorId].some((filter) => filter !== undefined);
  if (query === "")
    return (
      <EmptyState
        drawing="search"
        title="Search"
        text="Find issues, epics, reports, errors, comments and projects by text, key or class name."
      />
    );
  if (hits.isError) return <QueryError error={hits.error} retry={() => void hits.refetch()} />;
  if (!shown) return <Skeleton lines={2} label="Searching" />;
  if (shown.length === 0)
    return (
      <EmptyState
        drawing="search"
        title={`No results for “${query}”`}
        text={isFiltered ? "Clear the filters or try different words." : "Try fewer or different words."}
        action={isFiltered && <Button onClick={onClear}>Clear filters</Button>}
      />
    );
  return (
    <div ref={ref}>
      <SearchResults hits={shown} query={query} projectOf={projectOf} />
    </div>
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
