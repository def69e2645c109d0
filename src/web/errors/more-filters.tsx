import { ListFilter } from "lucide-react";
import { useState } from "react";
import { LEVELS } from "../../shared/levels.ts";
import { Combobox } from "../kit/combobox.tsx";
import { FilterSelect, FilterTrigger } from "../kit/filter-select.tsx";
import { Menu } from "../kit/menu.tsx";
import { choices } from "./filter-choices.ts";
import type { ListSearch } from "./use-view.ts";
import { isTag, type View } from "./view.ts";

type Props = {
  view: View;
  change: (changes: ListSearch) => void;
  releases: readonly string[];
};

type Name = "level" | "regressed" | "first_release" | "tag";

/** Filters that are shown once they are chosen from a menu. */
export function MoreFilters({ view, change, releases }: Props) {
  const [added, setAdded] = useState<Name>();
  const isShown = (name: Name) => Boolean(view[name]) || added === name;
  // The picker opens once the menu has closed and returned the focus.
  const add = (name: Name) => setAdded(name);
  return (
    <>
      {isShown("level") && (
        <FilterSelect
          label="Level"
          none="All levels"
          value={view.level ?? ""}
          onChange={(level) => change({ level })}
          choices={choices(LEVELS, view.level, capitalized)}
        />
      )}
      {isShown("regressed") && (
        <FilterSelect
          label="Regression"
          none="Regressed or not"
          value={view.regressed ?? ""}
          onChange={(regressed) => change({ regressed })}
          choices={REGRESSED}
        />
      )}
      {isShown("first_release") && (
        <FilterSelect
          label="First release"
          none="All releases"
          value={view.first_release ?? ""}
          onChange={(first_release) => change({ first_release })}
          choices={choices(releases, view.first_release)}
        />
      )}
      {isShown("tag") && <TagFilter value={view.tag ?? ""} onChange={(tag) => change({ tag })} />}
      <Menu
        label="More filters"
        align="end"
        trigger={
          <FilterTrigger isOn={false}>
            <ListFilter aria-hidden size={14} className="me-1 inline align-[-2px]" />
            More
          </FilterTrigger>
        }
        items={[
          {
            label: "Level",
            items: choices(LEVELS, undefined, capitalized).map(({ value, label }) => ({
              label,
              checked: view.level === value,
              onSelect: () => change({ level: view.level === value ? "" : value }),
            })),
          },
          {
            label: "Regression",
            items: REGRESSED.map(({ value, label }) => ({
              label,
              checked: view.regressed === value,
              onSelect: () => change({ regressed: view.regressed === value ? "" : value }),
            })),
          },
          !isShown("first_release") && { label: "First release", onSelect: () => add("first_release") },
          !isShown("tag") && { label: "Tag", onSelect: () => add("tag") },
        ]}
      />
    </>
  );
}

/** A tag is typed, because the tags of a project are not listed anywhere. */
function TagFilter({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const [text, setText] = useState("");
  const typed = text.trim();
  return (
    <Combobox
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

/** The server's filter leaves out groups that are not open when it selects the regressed ones. */
const REGRESSED = [
  { value: "true", label: "Regressed" },
  { value: "false", label: "Not regressed" },
];

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
