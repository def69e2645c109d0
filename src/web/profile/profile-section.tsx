import { useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { changeProfile } from "../data/account/change-account.ts";
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

/** Changing the email address requires the password or a fresh sign-in, because the address can be used to reset it. */
function NamePanel() {
  const profile = useProfile();
  const failure = providerFailure(useSearch({ from: "/app/settings/profile" }).error);
  const client = useQueryClient();
  const [first, setFirst] = useState(profile.first_name);
  const [last, setLast] = useState(profile.last_name);
  const [username, setUsername] = useState(profile.username);
  const [email, setEmail] = useState(profile.email);
  const [password, setPassword] = useState("");
  const changes = {
    ...(first === profile.first_name ? {} : { first_name: first }),
    ...(last === profile.last_name ? {} : { last_name: last }),
    ...(username === profile.username ? {} : { username }),
    ...(email === profile.email ? {} : { email }),
  };
  const isChanged = Object.keys(changes).length > 0;
  const newEmail = email !== profile.email;
  const save = useSend({
    send: () => changeProfile(changes, newEmail ? password : ""),
    // The name is part of every list of people.
    stale: [["people"]],
    onDone: (saved) => {
      patchEverywhere(client, "profile", saved.id, saved);
      setPassword("");
      setEmail(saved.email);
      toast(
        newEmail && saved.pending_email !== null
          ? {
              title: "Saved",
              description: `Open the link that was sent to ${saved.pending_email}.`,
              tone: "success",
            }
          : { title: "Saved", tone: "success" },
      );
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
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="First name" error={errorOf(save.error, "first_name")}>
            <Input
              value={first}
              onChange={(event) => setFirst(event.target.value)}
              autoComplete="given-name"
              required
            />
          </Field>
          <Field label="Last name" error={errorOf(save.error, "last_name")}>
            <Input
              value={last}
              onChange={(event) => setLast(event.target.value)}
              autoComplete="family-name"
              required
            />
          </Field>
          <Field label="Username" error={errorOf(save.error, "username")}>
            <Input
              value={username}
              onChange={(event) => setUsername(event.target.value)}
              autoComplete="username"
              spellCheck={false}
              required
            />
          </Field>
          <Field label="Email" error={errorOf(save.error, "email")}>
            <Input
              type="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              autoComplete="email"
              required
            />
          </Field>
        </div>
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
