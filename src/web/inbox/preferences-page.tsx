import { Link } from "@tanstack/react-router";
import type { Preference, Profile } from "../../shared/people.ts";
import { useChangeProfile } from "../data/account/account.ts";
import { Panel, PanelList } from "../forms/panel.tsx";
import { useProfile } from "../data/account/session.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { Switch } from "../kit/switch.tsx";
import { PushPanel } from "./push-panel.tsx";
import { EVENTS, WATCHES } from "./preference-rows.ts";

type SetPreference = (preference: Preference) => (on: boolean) => void;

/** Which events cause inbox entries and emails. Each switch is saved immediately. */
export function PreferencesPage() {
  const profile = useProfile();
  const change = useChangeProfile("/api/profile/notification-preferences");
  const emailsOn = profile.email_notifications_enabled;
  const set: SetPreference = (preference) => (on) => change.mutate({ [preference]: on });
  return (
    <>
      <PageHeader
        title="Notification preferences"
        crumbs={[
          <Link key="profile" to="/settings/profile">
            Profile
          </Link>,
        ]}
      />
      <div className="flex w-full max-w-[960px] flex-col gap-8 px-4 py-6">
        <Panel title="Email" lead={`Emails are sent to ${profile.email}.`} padded>
          <Switch
            label="Send me emails"
            hint="If off, no emails are sent. Your choices below are kept."
            checked={emailsOn}
            onChange={set("email_notifications_enabled")}
          />
        </Panel>
        <PushPanel />
        <Panel
          title="Notifications"
          lead={
            emailsOn
              ? "These events always appear in the inbox. Choose which ones are also sent by email."
              : "These events always appear in the inbox. Emails are off; your choices apply when you turn them on."
          }
        >
          <EventTable profile={profile} set={set} />
        </Panel>
        <Panel
          title="Watching"
          lead="Choose what you watch automatically. You can also watch or unwatch each issue and error."
        >
          <PanelList label="Watch automatically">
            {WATCHES.map(({ label, hint, preference }) => (
              <li key={preference} className="px-4 py-3">
                <Switch label={label} hint={hint} checked={profile[preference]} onChange={set(preference)} />
              </li>
            ))}
          </PanelList>
        </Panel>
      </div>
    </>
  );
}

function EventTable({ profile, set }: { profile: Profile; set: SetPreference }) {
  return (
    <table aria-label="Notifications" className="w-full border-collapse">
      <thead>
        <tr className="border-b border-line text-start text-sm text-text-3">
          <th scope="col" className="px-4 py-2 text-start font-medium">
            Event
          </th>
          <th scope="col" className="w-20 px-2 py-2 pe-4 font-medium">
            Email
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {EVENTS.map(({ label, hint, email }) => (
          <tr key={email}>
            <th scope="row" className="px-4 py-3 text-start font-normal">
              <span className="font-medium">{label}</span>
              <span className="block text-sm text-text-3">{hint}</span>
            </th>
            <td className="px-2 py-3 pe-4">
              <Switch
                label={`Email: ${label}`}
                hideLabel
                className="justify-center!"
                checked={profile[email]}
                disabled={!profile.email_notifications_enabled}
                onChange={set(email)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
