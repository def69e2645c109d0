import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorTagsQuery } from "../../data/errors/error-groups.ts";
import { Combobox } from "../../kit/combobox.tsx";
import { FilterTrigger, type PickerOpening } from "../../kit/filter-select.tsx";
import { isKeyChoice, tagChoices } from "./tag-choices.ts";

type Props = PickerOpening & {
  /** null for all projects. */
  projectId: number | null;
  value: string;
  onChange: (tag: string) => void;
};

/** Offers the keys of the newest errors' tags, then the values of the chosen key. Another tag can be typed. */
export function TagFilter({ projectId, value, onChange, open = false, onOpenChange, ...opening }: Props) {
  const [text, setText] = useState("");
  const [key, setKey] = useState<string>();
  /** Choosing a key leaves the list open, for its values. */
  const isKeyChosen = useRef(false);
  const { data: tags = [], isPending } = useQuery({ ...errorTagsQuery(projectId), enabled: open });
  const choose = (tag: string | null) => {
    setText("");
    if (tag === null || !isKeyChoice(tag)) return onChange(tag ?? "");
    isKeyChosen.current = true;
    setKey(tag.slice(0, -1));
  };
  const onOpen = (next: boolean) => {
    const staysOpen = !next && isKeyChosen.current;
    isKeyChosen.current = false;
    if (staysOpen) return;
    setText("");
    setKey(undefined);
    onOpenChange?.(next);
  };
  return (
    <Combobox
      {...opening}
      open={open}
      onOpenChange={onOpen}
      label={key === undefined ? "Tag" : `Tag ${key}`}
      none="All tags"
      busy={open && isPending}
      value={value === "" ? null : value}
      onSearch={setText}
      onChange={choose}
      choices={tagChoices(tags, { text: text.trim(), key, value })}
      trigger={<FilterTrigger isOn={value !== ""}>{value === "" ? "Tag" : `Tag: ${value}`}</FilterTrigger>}
    />
  );
}
