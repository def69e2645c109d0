import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { LaneIcon } from "../issues/option-icons.tsx";
import type { PickField } from "../issues/quick-pick.tsx";
import { copyText } from "../kit/copy-text.ts";
import { isTouched } from "../kit/last-input.ts";
import { LazyMenuPopup } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { moveEntries } from "../lists/move-entries.ts";
import type { Cell } from "./board-cells.ts";
import type { useBoardMoves } from "./use-board-moves.ts";

type Props = {
  issue: Issue;
  projectKey: string;
  anchor: HTMLElement;
  cells: readonly Cell[];
  moves: ReturnType<typeof useBoardMoves>;
  onPick: (field: PickField) => void;
  onClose: () => void;
};

/** The actions on a card. There is one menu for the whole board. */
export function CardMenu({ issue, projectKey, anchor, cells, moves, onPick, onClose }: Props) {
  const [byTouch] = useState(isTouched);
  const id = String(issue.id);
  const place = moves.placeOf(id);
  const here = cells.find((cell) => cell.id === place?.list);
  if (place === undefined || here === undefined) return null;
  const count = moves.itemsIn(here.id).length;
  const params = { projectKey, issueKey: issue.key };
  const lanes = cells
    .filter(({ swim }) => swim.key === here.swim.key)
    .map((cell) => ({
      label: cell.lane.name,
      icon: <LaneIcon kind={cell.lane.kind} />,
      disabled: cell.id === here.id,
      onSelect: () => moves.moveToEnd(id, cell.id),
    }));
  // A phone shows one lane at a time, so the menu is the easiest way to move a card there: two taps.
  const first: MenuEntry[] = byTouch ? [{ heading: "Move to" }, ...lanes, "separator"] : [];
  return (
    <LazyMenuPopup
      label={`Actions for ${issue.key}`}
      open
      onOpenChange={(open) => !open && onClose()}
      anchor={anchor}
      align="start"
      items={[
        ...first,
        {
          label: "Open",
          shortcut: "Enter",
          link: <Link to="/projects/$projectKey/issues/$issueKey" params={params} />,
        },
        {
          label: "Copy link",
          onSelect: () =>
            void copyText(`${location.origin}/projects/${projectKey}/issues/${issue.key}`, "Link copied"),
        },
        "separator",
        !byTouch && { label: "Move to lane", items: lanes },
        ...moveEntries(place.index, count, (index) => moves.moveAndAnnounce(id, { list: here.id, index })),
        "separator",
        { label: "Priority", shortcut: "p", onSelect: () => onPick("priority") },
        { label: "Assignee", shortcut: "a", onSelect: () => onPick("assignee") },
        { label: "Labels", shortcut: "l", onSelect: () => onPick("label") },
        { label: "Sprint", onSelect: () => onPick("sprint") },
        { label: "Epic", onSelect: () => onPick("epic") },
      ]}
    />
  );
}
