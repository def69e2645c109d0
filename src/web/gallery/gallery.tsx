import { useState } from "react";
import { Inbox, Pencil, Plus, Trash2 } from "lucide-react";
import { Line, Part } from "./gallery-layout.tsx";
import { GalleryCharts, GalleryEditors, GalleryLists } from "./gallery-parts.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button, buttonClass, LinkButton } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { CodeBlock } from "../kit/code-block.tsx";
import { Combobox, MultiCombobox } from "../kit/combobox.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Count } from "../kit/count.tsx";
import { DateInput } from "../kit/date-input.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Input } from "../kit/input.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { LaneMark } from "../kit/lane-mark.tsx";
import { LiveRegion } from "../kit/live-region.ts";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { PriorityMark } from "../kit/priority-mark.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Select } from "../kit/select.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { StateMark } from "../kit/state-mark.tsx";
import { Switch } from "../kit/switch.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { Day, Time } from "../kit/time.tsx";
import { toast } from "../kit/toast.ts";
import { Toasts } from "../kit/toasts.tsx";
import { tooltip } from "../kit/tooltip.ts";
import { TypeMark } from "../kit/type-mark.tsx";

/** Every component in all its states on one page. In development only. */
export function Gallery() {
  return (
    <>
      <PageHeader
        title="Components"
        crumbs={[
          <a key="home" href="/">
            Home
          </a>,
        ]}
        aside={<Badge>All</Badge>}
        actions={<ThemeSwitch />}
        tabs={
          <TabLinks
            label="Filter"
            tabs={[
              { label: "Active", current: true, count: 12, link: <a href="#active">Active</a> },
              { label: "Promoted", current: false, count: 1284, link: <a href="#promoted">Promoted</a> },
              { label: "Dismissed", current: false, link: <a href="#dismissed">Dismissed</a> },
            ]}
          />
        }
      />
      <main className="grid gap-x-8 gap-y-10 p-4 lg:grid-cols-2">
        <Buttons />
        <Fields />
        <Floating />
        <Marks />
        <GalleryCharts />
        <GalleryLists />
        <GalleryEditors />
        <Texts />
        <States />
      </main>
      <Toasts />
      <LiveRegion />
    </>
  );
}

function ThemeSwitch() {
  const [dark, setDark] = useState(document.documentElement.dataset["theme"] === "dark");
  const change = (next: boolean) => {
    setDark(next);
    document.documentElement.dataset["theme"] = next ? "dark" : "light";
  };
  return <Switch label="Dark" checked={dark} onChange={change} />;
}

function Buttons() {
  const [busy, setBusy] = useState(true);
  return (
    <Part title="Buttons">
      <Line>
        <Button variant="primary" icon={Plus} shortcut="c">
          New issue
        </Button>
        <Button>Default</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger" icon={Trash2}>
          Delete
        </Button>
        <Button disabled>Disabled</Button>
        <Button variant="primary" busy={busy} onClick={() => setBusy(true)}>
          Saving
        </Button>
      </Line>
      <Line>
        <Button size="sm" variant="primary">
          Small
        </Button>
        <Button size="sm">Small</Button>
        <a href="#link" className={buttonClass()}>
          A link
        </a>
        <LinkButton href="#download" variant="quiet" icon={Pencil}>
          Link button
        </LinkButton>
        <IconButton label="Edit" icon={Pencil} shortcut="e" />
        <IconButton label="Watch" icon={Inbox} aria-pressed />
        <Button {...tooltip("What it does", { shortcut: "mod+k" })}>Tooltip</Button>
        <Kbd keys="mod+k" />
        <Kbd keys="g i" />
        <Spinner label="Loading" />
      </Line>
    </Part>
  );
}

const PEOPLE = [
  { id: 1, first_name: "Ann", last_name: "Example", username: "ann", profile_picture: null },
  { id: 2, first_name: "Bob", last_name: "Builder", username: "bob", profile_picture: null },
  { id: 3, first_name: "Chiara", last_name: "Rossi", username: "chiara", profile_picture: null },
];
const PERSON_CHOICES = PEOPLE.map((person) => ({
  value: person.id,
  label: `${person.first_name} ${person.last_name}`,
  hint: person.username,
  icon: <Avatar person={person} size={20} />,
}));
const LABEL_CHOICES = ["Backend", "Design", "Performance", "Security"].map((label, index) => ({
  value: index,
  label,
}));

function Fields() {
  const [day, setDay] = useState<string | null>("2026-11-20");
  const [who, setWho] = useState<number | null>(1);
  const [labels, setLabels] = useState<number[]>([0, 2]);
  const [mails, setMails] = useState(true);
  const [reason, setReason] = useState<"duplicate" | "spam" | null>("duplicate");
  return (
    <Part title="Fields">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Title" required>
          <Input defaultValue="Checkout fails" />
        </Field>
        <Field label="Username" error="Username is taken." hint="Letters, digits and . _ - inside">
          <Input defaultValue="ann" />
        </Field>
        <Field label="Kind" optional>
          <Select
            options={[
              { value: "0", label: "Feature" },
              { value: "1", label: "Bug" },
            ]}
          />
        </Field>
        <Field label="Due">
          <DateInput value={day} onChange={setDay} />
        </Field>
        <Field label="Assignee">
          <Combobox choices={PERSON_CHOICES} value={who} onChange={setWho} none="Nobody" />
        </Field>
        <Field label="Labels">
          <MultiCombobox choices={LABEL_CHOICES} value={labels} onChange={setLabels} />
        </Field>
      </div>
      <Field label="Description" hint="Markdown">
        <Textarea placeholder="What happened" />
      </Field>
      <Line>
        <Checkbox label="Ticked" defaultChecked />
        <Checkbox label="Some" mixed />
        <Checkbox label="Not" hint="With a hint" />
        <Checkbox label="Disabled" disabled />
      </Line>
      <Switch label="Email" hint="Everything that concerns you" checked={mails} onChange={setMails} />
      <RadioGroup
        label="Reason"
        value={reason}
        onChange={setReason}
        options={[
          { value: "duplicate", label: "Duplicate", hint: "Someone has reported it before", shortcut: "1" },
          { value: "spam", label: "Spam", hint: "Nobody needs to read it", shortcut: "2" },
        ]}
      />
      <FormError>The project already has a lane of this name.</FormError>
    </Part>
  );
}

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

function Floating() {
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
        Its 4 comments and 2 attachments go with it. This cannot be undone.
      </ConfirmDialog>
    </Part>
  );
}

function Marks() {
  const at = "2026-11-20T10:00:00.123456Z";
  const label = { regressedAt: null } as const;
  return (
    <Part title="Marks">
      <Line>
        <StateMark status={0} {...label} />
        <StateMark status={1} {...label} />
        <StateMark status={2} {...label} />
        <StateMark status={0} regressedAt={at} reopenCount={3} />
        <StateMark status={1} {...label} compact />
      </Line>
      <Line>
        {[0, 1, 2, 3, 4].map((priority) => (
          <PriorityMark key={priority} priority={priority} />
        ))}
        <PriorityMark priority={0} compact />
      </Line>
      <Line>
        <TypeMark type={0} />
        <TypeMark type={1} />
        {(["backlog", "todo", "doing", "done"] as const).map((kind) => (
          <LaneMark key={kind} kind={kind} />
        ))}
      </Line>
      <Line>
        {(["neutral", "accent", "open", "resolved", "ignored", "regressed", "warn", "danger"] as const).map(
          (tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ),
        )}
        <Badge dot="#1f6feb">Backend</Badge>
      </Line>
      <Line>
        {([16, 20, 24, 32, 64] as const).map((size) => (
          <Avatar key={size} person={PEOPLE[0] ?? null} size={size} named />
        ))}
        <Avatar person={null} size={32} named />
        <Count value={1_284_311} unit="events" />
        <Count value={0} />
        <Count value={null} />
        <Time at={at} />
        <Time at={at} as="full" />
        <Day day="2026-11-20" />
      </Line>
    </Part>
  );
}

const TRACE =
  "TimeoutError: no answer after 30000 ms\n    at fetchCart (/srv/app/cart.ts:41:11)\n    at async checkout (/srv/app/checkout.ts:12:3)";

function Texts() {
  const [tab, setTab] = useState<"app" | "all" | "raw">("app");
  return (
    <Part title="Texts">
      <Tabs
        label="Frames"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "app", label: "App", count: 3 },
          { value: "all", label: "All", count: 41 },
          { value: "raw", label: "Raw" },
        ]}
        className="pt-3"
      >
        <CodeBlock label="Stack trace" code={TRACE} />
      </Tabs>
      <Disclosure title="Caused by 2 errors" aside={<CopyButton label="Copy" text="text" />}>
        <p>What is folded.</p>
      </Disclosure>
      <Line>
        <CopyButton words label="Copy link" text="https://example.com" />
      </Line>
    </Part>
  );
}

function States() {
  return (
    <Part title="States">
      <Skeleton rows={3} />
      <EmptyState
        icon={Inbox}
        title="Queue clear"
        text="Nothing waits for triage."
        action={<Button>See the dismissed</Button>}
      />
      <ErrorState
        error={Object.assign(new Error("The server answered 500."), { requestId: "01JD8Z3K" })}
        retry={() => {}}
      />
      <FeatureOff />
    </Part>
  );
}
