import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { RecoveryCodes } from "../../shared/sign-in.ts";
import { renewRecoveryCodes, turnOffSecondFactor } from "../data/account/change-account.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel } from "../forms/panel.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { toast } from "../kit/notices/toast.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { secondFactorQuery } from "../data/account/account.ts";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import { SetUpDialog } from "./set-up-dialog.tsx";

/** Up to this many recovery codes, a warning is shown. */
const FEW = 3;

type Opened =
  | { kind: "set-up" | "renew" | "turn-off" }
  | { kind: "codes"; codes: readonly string[] }
  | undefined;

/** A code of an authenticator app, in addition to the password. */
export function SecondFactorPanel() {
  const factor = useQuery(secondFactorQuery);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const showCodes = ({ recovery_codes }: RecoveryCodes) =>
    setOpened({ kind: "codes", codes: recovery_codes });
  return (
    <Panel
      title="Second factor"
      lead="Signing in with your password also requires a code from your authenticator app, so a stolen password is not enough."
      padded
    >
      <Loaded query={factor} rows={1}>
        {({ active, recovery_codes_left: left }) =>
          active ? (
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone="resolved" icon={ShieldCheck}>
                On
              </Badge>
              <span className={left <= FEW ? "me-auto text-warn" : "me-auto text-text-2"}>
                {left === 1 ? "1 recovery code left" : `${left} recovery codes left`}
              </span>
              <Button onClick={() => setOpened({ kind: "renew" })}>New recovery codes</Button>
              <Button onClick={() => setOpened({ kind: "turn-off" })}>Turn off</Button>
            </div>
          ) : (
            <div className="flex flex-wrap items-center gap-2">
              <Badge>Off</Badge>
              <span className="me-auto text-text-2">Your account is protected by your password only.</span>
              <Button variant="primary" onClick={() => setOpened({ kind: "set-up" })}>
                Set up
              </Button>
            </div>
          )
        }
      </Loaded>
      {opened?.kind === "set-up" && <SetUpDialog onClose={close} onDone={showCodes} />}
      {opened?.kind === "renew" && (
        <CodeDialog
          title="New recovery codes"
          submit="Create new codes"
          send={renewRecoveryCodes}
          onDone={showCodes}
          onClose={close}
        >
          Your old recovery codes will stop working.
        </CodeDialog>
      )}
      {opened?.kind === "turn-off" && (
        <CodeDialog
          title="Turn off the second factor"
          submit="Turn off"
          danger
          send={turnOffSecondFactor}
          onDone={() => {
            close();
            toast({ title: "Second factor turned off", tone: "success" });
          }}
          onClose={close}
        >
          Signing in will require only your password. Your recovery codes will stop working.
        </CodeDialog>
      )}
      {opened?.kind === "codes" && <RecoveryCodesDialog codes={opened.codes} onClose={close} />}
    </Panel>
  );
}
