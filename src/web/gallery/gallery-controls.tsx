import { useState } from "react";
import { Inbox, Pencil, Plus, Trash2 } from "lucide-react";
import { Line, Part } from "./gallery-layout.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Button, buttonClass, LinkButton } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Combobox, MultiCombobox } from "../kit/combobox.tsx";
import { DateInput } from "../kit/dates/date-input.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Input } from "../kit/input.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Select } from "../kit/select.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { Switch } from "../kit/switch.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { tooltip } from "../kit/tooltip.ts";
import { PEOPLE } from "./gallery-people.ts";

export function GalleryButtons() {
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

export function GalleryFields() {
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
            value="0"
            onChange={() => {}}
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
