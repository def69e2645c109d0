import { useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Profile } from "../../shared/people.ts";
import { changeProfile } from "../data/account/change-account.ts";
import { changesOf } from "../forms/changes-of.ts";
import { errorOf } from "../forms/form-dialog.tsx";
import { Panel } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { SettingsForm } from "../forms/settings-form.tsx";
import { useSend } from "../forms/use-send.ts";
import { SaveButton } from "../forms/save-button.tsx";
import { patchEverywhere } from "../data/cache/patch-everywhere.ts";
import { useProfile } from "../data/account/session.ts";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import type { Notice } from "../kit/notices/notice-list.ts";
import { toast } from "../kit/notices/toast.ts";
import { providerFailure } from "../session/provider-failure.ts";
import { PicturePanel } from "./picture-panel.tsx";
import { CurrentPasswordField } from "./current-password-field.tsx";
import { UnconfirmedAddress } from "./unconfirmed-address.tsx";

const FIELDS = ["first_name", "last_name", "username", "email", "current_password"] as const;

export function ProfileSection() {
  return (
    <>
      <PicturePanel />
      <UnconfirmedAddress />
      <NamePanel />
      <p className="text-text-2">
        Choose what you are notified about, and what is sent by email, in the{" "}
        <Link to="/settings/notifications" className="text-accent-text underline">
          notification preferences
        </Link>
        .
      </p>
    </>
  );
}

type Entered = Pick<Profile, "first_name" | "last_name" | "username" | "email">;

/** Changing the email address requires the password or a fresh sign-in, because the address can be used to reset it. */
function NamePanel() {
  const profile = useProfile();
  const failure = providerFailure(useSearch({ from: "/app/settings/profile" }).error);
  const client = useQueryClient();
  const [entered, setEntered] = useState<Entered>(() => ({
    first_name: profile.first_name,
    last_name: profile.last_name,
    username: profile.username,
    email: profile.email,
  }));
  const [password, setPassword] = useState("");
  const changes = changesOf<Entered>(profile, entered);
  const isChanged = Object.keys(changes).length > 0;
  const newEmail = entered.email !== profile.email;
  const save = useSend({
    send: () => changeProfile(changes, newEmail ? password : ""),
    // The name is part of every list of people.
    stale: [["people"]],
    onDone: (saved) => {
      patchEverywhere(client, "profile", saved.id, saved);
      setPassword("");
      setEntered((before) => ({ ...before, email: saved.email }));
      toast(savedNotice(newEmail ? saved.pending_email : null));
    },
  });
  const submit = () => {
    if (isChanged && !save.isPending) save.mutate();
  };
  const isPlaced = FIELDS.some((field) => errorOf(save.error, field) !== undefined);
  return (
    <Panel
      title="Personal details"
      lead="People in your projects see your name and can @mention your username."
      padded
    >
      <SettingsForm dirty={isChanged && !save.isPending} error={save.error} onSubmit={submit}>
        <FormError>{save.error ? !isPlaced && reasonOf(save.error) : failure}</FormError>
        <NameFields
          entered={entered}
          onChange={(part) => setEntered({ ...entered, ...part })}
          errorOf={(field) => errorOf(save.error, field)}
        />
        {(newEmail || !profile.has_password) && (
          <CurrentPasswordField
            value={password}
            onChange={setPassword}
            error={errorOf(save.error, "current_password")}
            why="Password resets go to this address, so confirm the change with your current password."
          />
        )}
        <SaveButton busy={save.isPending} disabled={!isChanged} />
      </SettingsForm>
    </Panel>
  );
}

type FieldsProps = {
  entered: Entered;
  onChange: (changes: Partial<Entered>) => void;
  errorOf: (field: keyof Entered) => string | undefined;
};

function NameFields({ entered, onChange, errorOf }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="First name" error={errorOf("first_name")}>
        <Input
          value={entered.first_name}
          onChange={(event) => onChange({ first_name: event.target.value })}
          autoComplete="given-name"
          required
        />
      </Field>
      <Field label="Last name" error={errorOf("last_name")}>
        <Input
          value={entered.last_name}
          onChange={(event) => onChange({ last_name: event.target.value })}
          autoComplete="family-name"
          required
        />
      </Field>
      <Field label="Username" error={errorOf("username")}>
        <Input
          value={entered.username}
          onChange={(event) => onChange({ username: event.target.value })}
          autoComplete="username"
          spellCheck={false}
          required
        />
      </Field>
      <Field label="Email" error={errorOf("email")}>
        <Input
          type="email"
          value={entered.email}
          onChange={(event) => onChange({ email: event.target.value })}
          autoComplete="email"
          required
        />
      </Field>
    </div>
  );
}

/** A changed address takes effect once the link that was sent to it is opened. */
const savedNotice = (pendingEmail: string | null): Notice => ({
  title: "Saved",
  tone: "success",
  ...(pendingEmail !== null && { description: `Open the link that was sent to ${pendingEmail}.` }),
});
