import { useState } from "react";
import { Combobox } from "../kit/combobox.tsx";
import { FilterTrigger, type PickerOpening } from "../kit/filter-select.tsx";
import { choices } from "./filter-choices.ts";
import { isTag } from "./view.ts";

type Props = PickerOpening & { value: string; onChange: (tag: string) => void };

/** A tag is typed, because the tags of a project are not listed anywhere. */
export function TagFilter({ value, onChange, ...opening }: Props) {
  const [text, setText] = useState("");
  const typed = text.trim();
  return (
    <Combobox
      {...opening}
      label="Tag"
      none="All tags"
      value={value === "" ? null : value}
      onSearch={setText}
      onChange={(tag) => onChange(tag ?? "")}
      choices={
        typed === ""
          ? choices([value], undefined)
          : isTag(typed)
            ? choices([typed], undefined)
            : [{ value: typed, label: typed, hint: "Type key:value", disabled: true }]
      }
      trigger={
        <FilterTrigger isOn={value !== ""}>{value === "" ? "Tag: key:value" : `Tag: ${value}`}</FilterTrigger>
      }
    />
  );
}
