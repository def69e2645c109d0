import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { keptEventQuery } from "../../data/errors/kept-events.ts";
import { given } from "../../page/search-params.ts";

/**
 * The kept event in the page's address, or the latest one. `event` is undefined until it has loaded. An event that is no longer kept is `isGone`, and the latest one is shown.
 */
export function useShownEvent(group: ErrorGroup) {
  const search: { event?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = /^[1-9][0-9]{0,14}$/.test(search.event ?? "") ? Number(search.event) : "latest";
  const hasKept = group.kept_events_count > 0;
  const { data, isError } = useQuery({
    ...keptEventQuery(group.project_id, group.id, chosen),
    enabled: hasKept,
  });
  const isGone = chosen !== "latest" && (isError || !hasKept);
  const event = isGone ? undefined : data;
  return {
    event,
    isGone,
    isLatest: chosen === "latest" || isGone || event?.next_id === null,
    isLoading: hasKept && data === undefined && !isError,
    choose: (id: number | "latest") =>
      void navigate({
        to: ".",
        search: (before) => given({ ...before, event: id === "latest" ? undefined : String(id) }),
        resetScroll: false,
      }),
  };
}
