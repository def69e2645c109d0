import { Link2 } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useFindErrors, useLinkGroup } from "../../data/errors/link-group.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { KIND_ICONS } from "../../marks/kind-icons.ts";
import { type PartOpener, REPLACED_BY_MENU } from "../part-opener.ts";

type Props = {
  project: Project;
  issue: Issue;
  opener: PartOpener;
  /** Without sources, only the menu and the palette open the picker. */
  isInMenu: boolean;
};

/** Links an open error of the project to the issue. */
export function ErrorLinker({ project, issue, opener, isInMenu }: Props) {
  const { mutate, isPending } = useLinkGroup();
  const { open, onOpenChange: setOpen } = opener;
  const [text, setText] = useState("");
  const found = useFindErrors(project.id, useDeferredValue(text), open);
  const groups = (found.data ?? []).filter(({ id }) => !issue.error_group_ids.includes(id));
  usePaletteCommand("link-error", `Link an error to ${issue.key}`, () => setOpen(true));
  return (
    <Combobox
      label="Link an error"
      value={null}
      choices={groups.map(({ id, exception_class, latest_message, environment, linked_issue_id }) => ({
        value: id,
        label: latest_message === "" ? exception_class : `${exception_class}: ${latest_message}`,
        hint: linked_issue_id === null ? environment : "Linked to another issue",
        icon: KIND_ICONS.error,
        disabled: linked_issue_id !== null,
      }))}
      busy={found.isFetching}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setText("");
      }}
      onSearch={setText}
      onChange={(picked) => {
        const group = groups.find(({ id }) => id === picked);
        if (group) mutate({ group, issue: issue.id });
      }}
      anchor={isInMenu ? opener.button : null}
      trigger={
        isInMenu ? (
          <span hidden />
        ) : (
          <Button size="sm" variant="quiet" icon={Link2} busy={isPending} data-add="" {...REPLACED_BY_MENU}>
            Link error…
          </Button>
        )
      }
    />
  );
}
