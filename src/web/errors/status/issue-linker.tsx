import { Link2, X } from "lucide-react";
import { useState } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { useLinkGroup } from "../../data/errors/link-group.ts";
import { IssuePicker } from "../../issues/issue-picker.tsx";
import { usePaletteCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { IconButton } from "../../kit/icon-button.tsx";

type Props = { group: ErrorGroup; project: Project };

/** Links the error to an issue that exists, or ends its link. */
export function IssueLinker({ group, project }: Props) {
  const { mutate, isPending } = useLinkGroup();
  const [open, setOpen] = useState(false);
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
        data-control="unlink"
        data-replaced-by="link"
        busy={isPending}
        onClick={() => link(null)}
      />
    );
  return (
    <IssuePicker
      project={project}
      label="Link to issue"
      value={null}
      onChange={link}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          size="sm"
          variant="quiet"
          icon={Link2}
          busy={isPending}
          className="-ms-2"
          data-control="link"
          data-replaced-by="unlink"
        >
          Link to issue…
        </Button>
      }
    />
  );
}
