import { Link } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { toast } from "../kit/toast.ts";
import { removeView, savedViews, saveView } from "./saved-views.ts";
import type { Search } from "./use-view.ts";

const MAX_NAME = 60;

/** Saved views of this page. A view is part of the address, so a link shows the same. */
export function SavedViewsMenu({ page, search }: { page: string; search: Search }) {
  const [views, setViews] = useState(() => savedViews(page));
  const [naming, setNaming] = useState(false);
  const current = Object.fromEntries(
    Object.entries(search).filter(
      // The preview is not part of the view.
      (entry): entry is [string, string] => Boolean(entry[1]) && entry[0] !== "peek",
    ),
  );
  const items: MenuEntry[] = [
    ...views.map((view) => ({
      label: view.name,
      link: <Link to="." search={() => view.search} />,
    })),
    views.length > 0 && "separator",
    { label: "Save view", onSelect: () => setNaming(true) },
    views.length > 0 && {
      label: "Remove view",
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
          <Button size="sm" variant="quiet" icon={Bookmark}>
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
      title="Save view"
      description="Saves the filters, grouping and order on this device."
      size="sm"
      initialFocus={input}
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form="name-view" shortcut="mod+Enter">
            Save view
          </Button>
        </>
      }
    >
      <form
        id="name-view"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === "") setError("Enter a name.");
          else onName(name.trim());
        }}
      >
        <Field label="Name" required error={error}>
          <Input
            ref={input}
            value={name}
            maxLength={MAX_NAME}
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
