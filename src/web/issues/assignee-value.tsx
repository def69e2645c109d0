import { UserRound } from "lucide-react";
import { type KnownPerson, nameOf } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";

/** The assignee with picture and name; `person` is undefined until people have loaded. */
export function AssigneeValue({ id, person }: { id: number | null; person: KnownPerson | undefined }) {
  if (id === null)
    return (
      <span className="flex min-w-0 items-center gap-1.5 text-text-3">
        <UserRound aria-hidden size={16} />
        Nobody
      </span>
    );
  return (
    // The picture is wider than an icon; the names of all properties are in one column.
    <span className="-ms-0.5 flex min-w-0 items-center gap-1">
      <Avatar person={person ?? null} size={20} />
      <bdi className="truncate">{nameOf(person)}</bdi>
      {person?.isFormer && <span className="shrink-0 text-text-3">· no access</span>}
    </span>
  );
}
