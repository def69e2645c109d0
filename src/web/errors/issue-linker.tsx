import { Link2, X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { useFindIssues } from "../data/issue-relations.ts";
import { useLanes } from "../data/lanes.ts";
import { useLinkGroup } from "../data/link-group.ts";
import { LaneIcon } from "../issues/option-icons.tsx";
import { usePaletteCommand } from "../keys/commands.ts";
import { Button } from "../kit/button.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { IconButton } from "../kit/icon-button.tsx";

type Props = { group: ErrorGroup; project: Project };

/** Links the error to an issue that exists, or ends its link. */
export function IssueLinker({ group, project }: Props) {
  const { mutate, isPending } = useLinkGroup();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const lanes = useLanes(project.id);
  const found = useFindIssues(project.id, project.key, useDeferredValue(query), open);
  const isLinked = group.linked_issue_id !== null;
  const link = (issue: number | null) => mutate({ group, issue });
  usePaletteCommand(
    "link-issue",
    `Link ${group.exception_class} to an issue`,
    () => setOpen(true),
    !isLinked,
  );
  usePaletteCommand("unlink-issue", `Unlink ${group.exception_class}`, () => link(null), isLinked);
  if (isLinked)
    return (
      <IconButton
        size="sm"
        icon={X}
        label="Unlink the issue"
        disabled={isPending}
        onClick={() => link(null)}
      />
    );
  return (
    <Combobox
      label="Link to issue"
      value={null}
      choices={(found.data ?? []).map(({ id, key, title, lane_id }) => ({
        value: id,
        label: `${key} ${title}`,
        icon: <LaneIcon kind={lanes.find((lane) => lane.id === lane_id)?.kind ?? "todo"} />,
      }))}
      busy={found.isFetching}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setQuery("");
      }}
      onSearch={setQuery}
      onChange={(id) => id !== null && link(id)}
      trigger={
        <Button size="sm" variant="quiet" icon={Link2} busy={isPending} className="-ms-2">
          Link to issue…
        </Button>
      }
    />
  );
}
