import type { Person } from "../../shared/answers.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { useProfile } from "../data/account/session.ts";
import { Avatar } from "../kit/avatar.tsx";
import type { Choice } from "../kit/choice.ts";
import { valuesOf } from "./issue-filters.ts";

/**
 * For a filter: the user, nobody, or, within a project, a person. Those without access are offered if they are shown or
 * chosen.
 */
export function useAssigneeChoices(projectId: number | null, chosen: string | undefined): Choice<string>[] {
  const me = useProfile();
  const people = usePeople(projectId);
  if (projectId !== null)
    // Looking them up reads those who have left.
    for (const id of valuesOf(chosen).map(Number)) if (id > 0) people.of(id);
  const choicesOf = (persons: readonly Person[], suffix: string) =>
    persons
      .filter(({ user_id }) => user_id !== me.id)
      .map((person) => ({
        value: String(person.user_id),
        label: nameOf(person),
        hint: `${person.username}${suffix}`,
        icon: <Avatar person={person} size={16} />,
      }));
  return [
    // The hint makes the search find one's own name.
    { value: "me", label: "Me", hint: `${nameOf(me)} ${me.username}` },
    { value: "none", label: "Nobody" },
    ...choicesOf(people.all, ""),
    ...choicesOf(people.former, " · no access"),
  ];
}
