import { Plus, X } from "lucide-react";
import type { AlertAction } from "../../data/integrations/alert-rules.ts";
import { nameOf } from "../../data/projects/people.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Button } from "../../kit/button.tsx";
import type { Choice } from "../../kit/choice.ts";
import { Combobox, MultiCombobox } from "../../kit/combobox.tsx";
import { Field } from "../../kit/field.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Select } from "../../kit/select.tsx";
import { IssueFields } from "./issue-fields.tsx";
import type { RuleChoices } from "./use-names.ts";

type Actions = readonly AlertAction[];
type About = "error" | "project" | "release" | "report";
type Props = { about: About; value: Actions; onChange: (actions: Actions) => void; choices: RuleChoices };

const MAX_ACTIONS = 10;

const KINDS: readonly { value: AlertAction["to"]; label: string; start: AlertAction; onlyErrors?: true }[] = [
  { value: "inbox", label: "Notify in the inbox", start: { to: "inbox", recipients: ["watchers"] } },
  { value: "email", label: "Send an email", start: { to: "email", recipients: ["watchers"] } },
  { value: "webhook", label: "Send to a webhook", start: { to: "webhook", webhook_id: 0 } },
  { value: "issue", label: "Create an issue", start: { to: "issue" }, onlyErrors: true },
  { value: "assign", label: "Assign the error", start: { to: "assign", owners: true }, onlyErrors: true },
];

/** What a rule does, one or more actions. */
export function ActionFields({ about, value, onChange, choices }: Props) {
  const offered = KINDS.filter(({ onlyErrors }) => about === "error" || !onlyErrors);
  const set = (index: number, action: AlertAction) => onChange(value.with(index, action));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium">Then</legend>
      {value.map((action, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- actions have no identity but their place
        <div key={index} className="flex items-start gap-2 rounded-md border border-line p-2">
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <Select
              label={`Action ${index + 1}`}
              value={action.to}
              onChange={(to) => {
                const kind = KINDS.find((one) => one.value === to);
                if (kind) set(index, kind.start);
              }}
              options={KINDS.filter((kind) => offered.includes(kind) || kind.value === action.to)}
            />
            <ActionDetails about={about} action={action} set={(next) => set(index, next)} choices={choices} />
          </div>
          <IconButton
            size="sm"
            icon={X}
            label={`Remove action ${index + 1}`}
            disabled={value.length === 1}
            onClick={() => onChange(value.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button
          size="sm"
          icon={Plus}
          disabled={value.length >= MAX_ACTIONS}
          onClick={() =>
            onChange([
              ...value,
              (offered.find(({ value: to }) => !value.some((a) => a.to === to)) ?? KINDS[0]!).start,
            ])
          }
        >
          Add action
        </Button>
      </div>
    </fieldset>
  );
}

type DetailsProps = {
  about: About;
  action: AlertAction;
  set: (action: AlertAction) => void;
  choices: RuleChoices;
};

function ActionDetails({ about, action, set, choices }: DetailsProps) {
  const people = choices.people.map((person) => ({
    value: person.user_id,
    label: nameOf(person),
    hint: `@${person.username}`,
    icon: <Avatar person={person} size={16} />,
  }));
  switch (action.to) {
    case "inbox":
    case "email":
      return <Recipients about={about} action={action} set={set} choices={choices} />;
    case "webhook":
      return (
        <Field
          label="Webhook"
          hint={
            choices.webhooks.length === 0
              ? "The project has no webhooks yet. Add one at Integrations."
              : undefined
          }
        >
          <Combobox
            choices={choices.webhooks.map(({ id }) => ({ value: id, label: choices.webhookName(id) }))}
            value={action.webhook_id || null}
            placeholder="Choose a webhook"
            onChange={(webhook_id) => set({ to: "webhook", webhook_id: webhook_id ?? 0 })}
          />
        </Field>
      );
    case "issue":
      return <IssueFields action={action} set={set} lanes={choices.lanes} people={people} />;
    case "assign":
      return (
        <Field label="Assign to" hint="Only if nobody is assigned.">
          <Combobox
            none="Its code owner"
            choices={people}
            value={action.user_id ?? null}
            onChange={(user_id) =>
              set(user_id === null ? { to: "assign", owners: true } : { to: "assign", user_id })
            }
          />
        </Field>
      );
  }
}

type MessageAction = Extract<AlertAction, { to: "inbox" | "email" }>;

/** People by role, by name, and teams, in one picker. */
function Recipients({
  about,
  action,
  set,
  choices,
}: Omit<DetailsProps, "action"> & { action: MessageAction }) {
  const roles: Choice<string>[] = [
    { value: "watchers", label: "Watchers" },
    ...(about === "error" ? [{ value: "assignee", label: "Assignee" }] : []),
  ];
  const people = choices.people.map((person) => ({
    value: `user ${person.user_id}`,
    label: nameOf(person),
    hint: `@${person.username}`,
    icon: <Avatar person={person} size={16} />,
  }));
  const teams = choices.teams.map(({ team_id, name }) => ({
    value: `team ${team_id}`,
    label: name,
    hint: "Team",
  }));
  const { recipients, user_ids, team_ids } = action;
  const chosen = [
    ...(recipients ?? []),
    ...(user_ids ?? []).map((id) => `user ${id}`),
    ...(team_ids ?? []).map((id) => `team ${id}`),
  ];
  const idsOf = (values: readonly string[], kind: string) =>
    values
      .filter((value) => value.startsWith(`${kind} `))
      .map((value) => Number(value.slice(kind.length + 1)));
  const pick = (values: readonly string[]) => {
    const next = {
      recipients: values.filter((value) => value === "watchers" || value === "assignee"),
      user_ids: idsOf(values, "user"),
      team_ids: idsOf(values, "team"),
    };
    const given = Object.entries(next).filter(([, list]) => list.length > 0);
    set({ to: action.to, ...Object.fromEntries(given) });
  };
  return (
    <Field label="Recipients">
      <MultiCombobox
        choices={[...roles, ...teams, ...people]}
        value={chosen}
        placeholder="Choose recipients"
        onChange={pick}
      />
    </Field>
  );
}
