import { Suspense, useState } from "react";
import type { NewSecondFactor, RecoveryCodes } from "../../shared/sign-in.ts";
import { confirmSecondFactor, startSecondFactor } from "../data/account/change-account.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { CopyButton } from "../kit/copy-button.tsx";
import { Field } from "../kit/field.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { CodeInput } from "./code-input.tsx";
import { secondFactorQuery } from "../data/account/account.ts";
import { CurrentPasswordField } from "./current-password-field.tsx";

const QrCode = lazyPart(async () => (await import("./qr-code.tsx")).QrCode);

type Props = { onClose: () => void; onDone: (codes: RecoveryCodes) => void };

/** Asks for the password, shows the secret for the authenticator app, then asks for a code to confirm. */
export function SetUpDialog({ onClose, onDone }: Props) {
  const [password, setPassword] = useState("");
  const start = useSend({
    send: () => startSecondFactor(password),
    stale: [],
  });
  if (start.data) return <ConfirmStep factor={start.data} onClose={onClose} onDone={onDone} />;
  return (
    <FormDialog
      title="Set up a second factor"
      description="You need an authenticator app, such as your password manager."
      submit="Continue"
      size="sm"
      busy={start.isPending}
      error={start.error}
      fields={["current_password"]}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <CurrentPasswordField
        value={password}
        onChange={setPassword}
        error={errorOf(start.error, "current_password")}
      />
    </FormDialog>
  );
}

function ConfirmStep({ factor, onClose, onDone }: Props & { factor: NewSecondFactor }) {
  const [code, setCode] = useState("");
  const confirm = useSend({
    send: () => confirmSecondFactor(code),
    stale: [secondFactorQuery.queryKey],
    onDone,
  });
  return (
    <FormDialog
      title="Add it to your authenticator app"
      description="Scan the QR code or enter the secret. Then enter the code that the app shows."
      submit="Turn on"
      busy={confirm.isPending}
      dirty={code !== ""}
      error={confirm.error}
      fields={["code"]}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-start gap-4">
        <div className="size-44 shrink-0 overflow-hidden rounded-md border border-line bg-white">
          <Suspense fallback={null}>
            <QrCode text={factor.otpauth_url} />
          </Suspense>
        </div>
        <div className="flex min-w-0 flex-[1_1_14rem] flex-col gap-4">
          <div>
            <p className="font-medium" id="second-factor-secret">
              Secret
            </p>
            <div className="flex items-start gap-2">
              <code
                aria-labelledby="second-factor-secret"
                role="group"
                className="min-w-0 flex-1 rounded-sm bg-sunken px-2 py-1 text-sm break-all select-all"
              >
                {factor.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
              </code>
              <CopyButton label="Copy the secret" text={factor.secret} />
            </div>
          </div>
          <Field label="Code" hint="Six digits." error={errorOf(confirm.error, "code")}>
            <CodeInput value={code} onChange={setCode} />
          </Field>
        </div>
      </div>
    </FormDialog>
  );
}
