import { useState } from "react";
import { Pencil, Trash2 } from "lucide-react";
import { Line, Part } from "./gallery-layout.tsx";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { toast } from "../kit/notices/toast.ts";

const ACTIONS: MenuEntry[] = [
  { label: "Edit", icon: Pencil, shortcut: "e", onSelect: () => toast({ title: "Edit" }) },
  { label: "Watch", checked: true, onSelect: () => toast({ title: "No longer watched" }) },
  { label: "Move to", items: [{ label: "To do" }, { label: "Done" }] },
  "separator",
  {
    label: "Delete",
    icon: Trash2,
    danger: true,
    onSelect: () => toast({ title: "Deleted", tone: "success" }),
  },
];

export function GalleryFloating() {
  const [open, setOpen] = useState<"dialog" | "confirm" | null>(null);
  const [text, setText] = useState("");
  return (
    <Part title="Floating">
      <Line>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("confirm")}>Confirm</Button>
        <Menu label="Actions" trigger={<Button>Menu</Button>} items={ACTIONS} />
        <Button
          onClick={() =>
            toast({ title: "Link copied", tone: "success", action: { label: "Open", onSelect: () => {} } })
          }
        >
          Toast
        </Button>
        <Button
          onClick={() =>
            toast({
              title: "The server cannot be reached.",
              description: "Nothing was lost.",
              tone: "danger",
            })
          }
        >
          Error toast
        </Button>
        <Button
          onClick={() =>
            toast({ title: "Report dismissed", undo: () => {}, run: () => toast({ title: "Done" }) })
          }
        >
          Toast with undo
        </Button>
      </Line>
      <Dialog
        open={open === "dialog"}
        onClose={() => setOpen(null)}
        dirty={text !== ""}
        title="Promote report"
        description="Creates an issue and notifies the author of the report."
        footer={
          <>
            <CancelButton />
            <Button variant="primary" shortcut="mod+Enter">
              Promote
            </Button>
          </>
        }
      >
        <Field label="Title">
          <Input value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === "confirm"}
        onClose={() => setOpen(null)}
        title="Delete WEB-12?"
        confirm="Delete issue"
        onConfirm={() => Promise.reject(new Error("Someone else has just changed it."))}
      >
        Its 4 comments and 2 attachments go with it. This can’t be undone.
      </ConfirmDialog>
    </Part>
  );
}
