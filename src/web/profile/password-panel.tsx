import { useState } from "react";
import { changePassword } from "../data/account/change-account.ts";
import { errorOf } from "../forms/form-dialog.tsx";
import { Panel } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { SettingsForm } from "../forms/settings-form.tsx";
import { useSend } from "../forms/use-send.ts";
import { useProfile } from "../data/account/session.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { toast } from "../kit/notices/toast.ts";
import { CurrentPasswordField } from "./current-password-field.tsx";

export function PasswordPanel() {
  const { email } = useProfile();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useSend({
    send: () => changePassword(password, current),
    // Including what has failed meanwhile.
    stale: [[]],
    onDone: () => {
      setCurrent("");
      setPassword("");
      toast({
        title: "Password changed",
        description: "All other sessions have been signed out.",
        tone: "success",
      });
    },
  });
  const currentError = errorOf(change.error, "current_password");
  const passwordError = errorOf(change.error, "password");
  return (
    <Panel title="Password" lead="Changing it signs out all other sessions." padded>
      <SettingsForm
        dirty={password !== "" && !change.isPending}
        error={change.error}
        onSubmit={() => !change.isPending && change.mutate()}
      >
        <FormError>{change.error && !currentError && !passwordError && reasonOf(change.error)}</FormError>
        {/* For password managers, which need to know the account. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <div className="grid gap-4 sm:grid-cols-2">
          <CurrentPasswordField value={current} onChange={setCurrent} error={currentError} />
          <Field label="New password" hint="At least 10 characters." error={passwordError}>
            <Input
              type="password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              autoComplete="new-password"
              minLength={10}
              required
            />
          </Field>
        </div>
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={change.isPending}
            disabled={password === ""}
            shortcut="mod+Enter"
          >
            Change password
          </Button>
        </div>
      </SettingsForm>
    </Panel>
  );
}
