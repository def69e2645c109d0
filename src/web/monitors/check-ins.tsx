import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Monitor } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import { checkInsQuery } from "../data/monitors/monitors.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty } from "../forms/panel.tsx";
import { Button } from "../kit/button.tsx";
import { FilterSelect } from "../kit/filter-select.tsx";
import { given } from "../page/search-params.ts";
import { CheckInItem } from "./check-in-item.tsx";
import { CHECK_IN_LOOKS } from "./monitor-status.ts";
import { RunChart } from "./run-chart.tsx";

type Props = { project: Project; monitor: Monitor };

const STATUS_CHOICES = Object.entries(CHECK_IN_LOOKS).map(([value, { label }]) => ({ value, label }));

/** The runs of the last 90 days, newest first, with the durations of those that are shown. */
export function CheckIns({ project, monitor }: Props) {
  const search = useSearch({ from: "/app/projects/$projectKey/monitors/$slug" });
  const filter = given(search);
  const query = useInfiniteQuery({
    ...checkInsQuery(project.id, monitor.slug, filter),
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  const show = (changes: typeof filter) =>
    void navigate({ to: ".", search: given({ ...filter, ...changes }), replace: true });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Panel title="Runs" lead="Kept for 90 days.">
      <search className="flex flex-wrap gap-2 border-b border-line p-2">
        <FilterSelect
          label="Environment"
          none="All environments"
          choices={monitor.environments.map(({ name }) => ({ value: name, label: name }))}
          value={search.environment ?? ""}
          onChange={(environment) => show({ environment })}
        />
        <FilterSelect
          label="Status"
          none="All statuses"
          choices={STATUS_CHOICES}
          value={search.status ?? ""}
          onChange={(status) => show({ status })}
        />
      </search>
      <Loaded query={query}>
        {({ pages }) => {
          const runs = pages.flatMap(({ data }) => data);
          if (runs.length > 0)
            return (
              <>
                <RunChart runs={runs} />
                <ul aria-label="Runs" aria-busy={query.isPlaceholderData} className="divide-y divide-line">
                  {runs.map((run) => (
                    <CheckInItem key={run.id} run={run} />
                  ))}
                </ul>
              </>
            );
          return isFiltered ? (
            <PanelEmpty
              action={<Button onClick={() => show({ environment: "", status: "" })}>Clear filters</Button>}
            >
              No runs match these filters.
            </PanelEmpty>
          ) : (
            <PanelEmpty>There were no runs in the last 90 days.</PanelEmpty>
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <div className="border-t border-line p-2 text-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older runs
          </Button>
        </div>
      )}
    </Panel>
  );
}
