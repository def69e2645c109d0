import type { ReactElement } from "react";
import type { Person } from "../../shared/answers.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Combobox } from "../kit/combobox.tsx";

type Props = {
  projectId: number;
  value: number | null;
  onChange: (value: number | null) => void;
  /** Opens the picker, instead of a field. */
  trigger?: ReactElement<Record<string, unknown>>;
};

/** The person responsible for an epic: anyone who can access the project. A current owner without access stays until replaced. */
export function OwnerPicker({ projectId, ...rest }: Props) {
  const owner = usePeople(projectId).of(rest.value);
  const choices = useOwnerChoices(projectId);
  return (
    <Combobox
      {...rest}
      label="Owner"
      none="Nobody"
      choices={owner?.isFormer ? [...choices, { ...choiceOf(owner), hint: "no access" }] : choices}
    />
  );
}

export function useOwnerChoices(projectId: number) {
  return usePeople(projectId).all.map(choiceOf);
}

const choiceOf = (person: Person) => ({
  value: person.user_id,
  label: nameOf(person),
  icon: <Avatar person={person} />,
});
