import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { tooltip } from "../../kit/tooltip.ts";
import { messageId } from "../status/message-id.ts";

type Props = {
  group: ErrorGroupListItem;
  tabIndex: 0 | -1;
  /** Opens the picker beside the cell. Undefined if the user may not change the error. */
  onPick: ((anchor: HTMLElement) => void) | undefined;
};

/** The person who works on an error; empty without one. */
export function AssigneeCell({ group, ...rest }: Props) {
  return group.assignee_id === null ? null : <Assigned group={group} {...rest} />;
}

function Assigned({ group, tabIndex, onPick }: Props) {
  const person = usePeople(group.project_id).of(group.assignee_id);
  const name = `Assignee: ${nameOf(person)}`;
  const avatar = <Avatar person={person ?? null} size={20} />;
  if (onPick === undefined)
    return (
      <span title={name} className="flex">
        {avatar}
        <span className="sr-only">{name}</span>
      </span>
    );
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      {...tooltip(name)}
      aria-label={name}
      aria-describedby={messageId(group)}
      aria-haspopup="dialog"
      className="-m-1 flex rounded-full p-1 hover:bg-hover"
      onClick={(event) => onPick(event.currentTarget)}
    >
      {avatar}
    </button>
  );
}
