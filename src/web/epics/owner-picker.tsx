import type { ReactElement } from "react";
import { nameOf, usePeople } from "../data/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Combobox } from "../kit/combobox.tsx";

type Props = {
  projectId: number;
  value: number | null;
  onChange: (value: number | null) => void;
  /** Opens the picker, instead of a field. */
  trigger?: ReactElement<Record<string, unknown>>;
};

/** The person responsible for an epic: anyone who can access the project. */
export function OwnerPicker({ projectId, ...rest }: Props) {
  return <Combobox {...rest} label="Owner" none="Nobody" choices={useOwnerChoices(projectId)} />;
}

export function useOwnerChoices(projectId: number) {
  return usePeople(projectId).all.map((person) => ({
    value: person.user_id,
    label: nameOf(person),
    icon: <Avatar person={person} />,
  }));
}
