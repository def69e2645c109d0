import type { ReactNode } from "react";
import type { GitHost, NewGitConnection } from "../../../shared/git.ts";
import { CopyField } from "../../forms/copy-field.tsx";
import { Panel } from "../../forms/panel.tsx";
import { GIT_SERVICES } from "../services.ts";
import { Steps } from "../steps.tsx";

/** What to do at the host, with the values of a new connection. Its secret is shown only here. */
export function HostSteps({ connection }: { connection: NewGitConnection }) {
  const { label } = GIT_SERVICES[connection.host];
  const url = <CopyField label={URL_LABELS[connection.host]} value={connection.url} copy="Copy URL" />;
  const secret = (
    <CopyField
      label={SECRET_LABELS[connection.host]}
      value={connection.secret}
      copy="Copy secret"
      hint="It is shown only once."
    />
  );
  return (
    <Panel title={`Finish the set-up in ${label}`} padded>
      <Steps>{STEPS[connection.host](url, secret)}</Steps>
    </Panel>
  );
}

const URL_LABELS: Record<GitHost, string> = { github: "Payload URL", gitlab: "URL", gitea: "Target URL" };
const SECRET_LABELS: Record<GitHost, string> = { github: "Secret", gitlab: "Signing token", gitea: "Secret" };

const LAST = "Push a commit. The connection below then shows its last delivery.";

/** The steps of each host, in the words of its own settings. */
const STEPS: Record<GitHost, (url: ReactNode, secret: ReactNode) => ReactNode[]> = {
  github: (url, secret) => [
    "Open the settings of the repository or the organization, choose Webhooks, then Add webhook.",
    url,
    "Select application/json as the content type.",
    secret,
    "Choose “Let me select individual events” and select Pushes, Pull requests, Pull request reviews, Check suites and Statuses.",
    "Choose Add webhook.",
    LAST,
  ],
  gitlab: (url, secret) => [
    "Open the project or group, choose Settings, Webhooks, then Add new webhook.",
    url,
    secret,
    "A GitLab without signing tokens takes the same value as its secret token.",
    "Select Push events, Merge request events and Pipeline events as triggers.",
    "Choose Add webhook.",
    LAST,
  ],
  gitea: (url, secret) => [
    "Open the settings of the repository or the organization, choose Webhooks, Add webhook, then Gitea or Forgejo.",
    url,
    "Keep POST as the method and application/json as the content type.",
    secret,
    "Choose Custom events and select Push, all Pull request events, and Workflow run.",
    "Choose Add webhook.",
    LAST,
  ],
};
