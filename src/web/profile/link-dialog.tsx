import { useState } from "react";
import { linkIdentity } from "../data/account/change-account.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { CurrentPasswordField } from "./current-password-field.tsx";

/** Asks for the password, then redirects to the identity provider and back. */
export function LinkDialog({ provider, onClose }: { provider: string; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const link = useSend({
    send: () => linkIdentity("/settings/profile?section=security", password),
    stale: [],
    onDone: ({ authorization_url }) => window.location.assign(authorization_url),
  });
  return (
    <FormDialog
      title={`Link ${provider}`}
      description={`You can then sign in with your ${provider} account.`}
      submit="Continue"
      size="sm"
      busy={link.isPending}
      error={link.error}
      fields={["current_password"]}
      onSubmit={() => link.mutate()}
      onClose={onClose}
    >
      <CurrentPasswordField
        value={password}
        onChange={setPassword}
        error={errorOf(link.error, "current_password")}
      />
    </FormDialog>
  );
}
