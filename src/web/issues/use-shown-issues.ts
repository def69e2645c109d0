import { useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import { useProfile } from "../data/account/session.ts";
import { useToday } from "../kit/dates/time.tsx";
import { inState, matcher } from "./issue-filters.ts";
import { asSort, sortIssues } from "./issue-groups.ts";
import type { Search } from "./use-view.ts";

/** The issues that match the view's filters in any state, those of them in its state, sorted, and the sort order. */
export function useShownIssues(all: readonly Issue[] | undefined, view: Search) {
  const me = useProfile().id;
  const today = useToday();
  const matching = useMemo(() => all?.filter(matcher(view, me, today)), [all, view, me, today]);
  const state = view["state"];
  const sort = asSort(view["sort"]);
  const shown = useMemo(
    () => sortIssues(matching?.filter((issue) => inState(issue, state)) ?? [], sort),
    [matching, state, sort],
  );
  return { matching, shown, sort };
}
