import { Link } from "@tanstack/react-router";
import { Bug, CircleCheck, SearchX } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import type { ListSearch } from "./use-view.ts";
import { isFiltered, tabOf, TABS, type View } from "./view.ts";

type Props = {
  view: View;
  project: Project | null;
  /** Not even in another tab. */
  isBare: boolean;
  /** There are more than were looked through. */
  isCut: boolean;
  change: (changes: ListSearch) => void;
};

/** Why there is no row, and what to do about it. */
export function ErrorsEmpty({ view, project, isBare, isCut, change }: Props) {
  const { label } = TABS[tabOf(view)];
  if (isCut)
    return (
      <EmptyState
        icon={SearchX}
        title={`No ${label.toLowerCase()} errors among the newest`}
        text="There are more than can be listed at a time. Search or filter to see older ones."
        action={<Button onClick={() => change({ tab: "all" })}>Show all errors</Button>}
      />
    );
  if (isFiltered(view))
    return (
      <EmptyState
        icon={SearchX}
        title="No error matches"
        text={isBare ? "Nothing fits these filters." : "Nothing in this tab fits these filters."}
        action={
          <>
            <Button onClick={() => change({ query: "", environment: "", release: "", project: "" })}>
              Clear filters
            </Button>
            {!isBare && tabOf(view) !== "all" && (
              <Button variant="quiet" onClick={() => change({ tab: "all" })}>
                Show all states
              </Button>
            )}
          </>
        }
      />
    );
  if (isBare)
    return (
      <EmptyState
        icon={Bug}
        title="No errors yet"
        text="Errors that your programs send are gathered here, alike ones as one. Sending takes a project token and a few lines of code."
        action={
          project !== null && (
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: project.key }}
              className={buttonClass({ variant: "primary" })}
            >
              Set up sending
            </Link>
          )
        }
      />
    );
  return (
    <EmptyState
      icon={CircleCheck}
      title={`No ${label.toLowerCase()} errors`}
      text={
        tabOf(view) === "open"
          ? "All errors are resolved or ignored."
          : "Errors in this state are listed here."
      }
      action={<Button onClick={() => change({ tab: "all" })}>Show all errors</Button>}
    />
  );
}
