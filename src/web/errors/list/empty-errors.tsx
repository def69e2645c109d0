import { Link } from "@tanstack/react-router";
import { CircleCheck, SearchX } from "lucide-react";
import type { Project } from "../../../shared/projects.ts";
import { Button, buttonClass } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { errorCommand } from "../../sending/curl-commands.ts";
import { IngestCommand } from "../../sending/ingest-command.tsx";
import { FILTERS, isFiltered, type ListSearch, tabOf, TABS, type View } from "../view.ts";

type Props = {
  view: View;
  project: Project | null;
  /** No tab has any errors. */
  isEmptyEverywhere: boolean;
  change: (changes: ListSearch) => void;
};

const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, ""]));

/** Says why the list is empty, and what to do about it. */
export function EmptyErrors({ view, project, isEmptyEverywhere, change }: Props) {
  const { label } = TABS[tabOf(view)];
  if (isFiltered(view))
    return (
      <EmptyState
        icon={SearchX}
        title="No matching errors"
        text={
          isEmptyEverywhere ? "No errors match these filters." : "No errors in this tab match these filters."
        }
        action={
          <>
            <Button onClick={() => change(NO_FILTERS)}>Clear filters</Button>
            {!isEmptyEverywhere && tabOf(view) !== "all" && (
              <Button variant="quiet" onClick={() => change({ tab: "all" })}>
                Search all tabs
              </Button>
            )}
          </>
        }
      />
    );
  if (isEmptyEverywhere)
    return (
      <EmptyState
        drawing="errors"
        title="No errors yet"
        text={`Errors from your apps appear here, grouped by cause.${project === null ? "" : " Run this in a terminal to send the first one."}`}
        code={
          project !== null && <IngestCommand project={project} label="Send an error" command={errorCommand} />
        }
        action={
          project !== null && (
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: project.key }}
              search={{ section: "ingestion" }}
              className={buttonClass({ variant: "primary" })}
            >
              Set up error tracking
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
          : "Errors with this status appear here."
      }
      action={<Button onClick={() => change({ tab: "all" })}>Show all errors</Button>}
    />
  );
}
