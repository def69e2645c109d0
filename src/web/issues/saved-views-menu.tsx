import { Link } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { toast } from "../kit/toast.ts";
import { removeView, savedViews, saveView } from "./saved-views.ts";
import type { Search } from "./use-view.ts";

const MOST_NAME = 60;

/** Views of this page by name. A view is its address: whoever gets the link sees the same. */
export function SavedViewsMenu({ page, search }: { page: string; search: Search }) {
  const [views, setViews] = useState(() => savedViews(page));
  const [naming, setNaming] = useState(false);
  const current = Object.fromEntries(
    Object.entries(search).filter(
      // What one looks at is no part of how it is looked at.
      (entry): entry is [string, string] => Boolean(entry[1]) && entry[0] !== "peek",
    ),
  );
  const items: MenuEntry[] = [
    ...views.map((view) => ({
      label: view.name,
      link: <Link to="." search={() => view.search} />,
    })),
    views.length > 0 && "separator",
    { label: "Save this view", onSelect: () => setNaming(true) },
    views.length > 0 && {
      label: "Remove a view",
      items: views.map(({ name }) => ({
        label: name,
        onSelect: () => {
          setViews(removeView(page, name));
          toast({ title: `View “${name}” removed` });
        },
      })),
    },
  ];
  return (
    <>
      <Menu
        label="Views"
        align="end"
        trigger={
          <Button size="sm" icon={Bookmark}>
            Views
          </Button>
        }
        items={items}
      />
      {naming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            setViews(saveView(page, { name, search: current }));
            setNaming(false);
            toast({ title: `View “${name}” saved on this device`, tone: "success" });
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onName }: { onClose: () => void; onName: (name: string) => void }) {
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save this view"
      description="Its filters, grouping and order, under a name."
      size="sm"
      initialFocus={input}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="name-view">
            Save view
          </Button>
        </>
      }
    >
      <form
        id="name-view"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === "") setError("Give it a name.");
          else onName(name.trim());
        }}
      >
        <Field label="Name" required error={error}>
          <Input
            ref={input}
            value={name}
            maxLength={MOST_NAME}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value);
              setError(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
