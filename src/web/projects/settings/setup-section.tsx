import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { Button } from "../../kit/button.tsx";
import { FeatureOff } from "../../kit/feature-off.tsx";
import { toast } from "../../kit/toast.ts";
import { FirstEvent } from "../first-event.tsx";
import { can } from "../../data/projects.ts";
import { SetupSnippets } from "../setup-snippets.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { Panel } from "../../forms/panel.tsx";
import { sendTestEvent } from "./test-event.ts";
import { useSend } from "../../forms/use-send.ts";

/** How an app sends its errors, and whether any have arrived. */
export function SetupSection({ project }: { project: Project }) {
  const [isMaking, setMaking] = useState(false);
  const mayMake = can(project, "project:update");
  if (!project.features.error_tracking)
    return (
      <FeatureOff message="Error tracking is turned off in this workspace. An administrator can turn it on." />
    );
  return (
    <>
      <Panel
        title="Send errors from your app"
        lead={
          <>
            Paste the code for your language and replace <code>YOUR_PROJECT_TOKEN</code> with a token.{" "}
            {mayMake ? (
              <>
                Tokens are listed under{" "}
                <Link to="." search={{ section: "tokens" }} className="text-accent-text underline">
                  Tokens
                </Link>
                .
              </>
            ) : (
              "Someone who manages the project can create one."
            )}
          </>
        }
        actions={mayMake && <Button onClick={() => setMaking(true)}>New token</Button>}
        padded
      >
        <SetupSnippets projectKey={project.key} />
      </Panel>
      {can(project, "error-groups:read") && <Arrival project={project} />}
      {isMaking && <NewTokenDialog project={project} onClose={() => setMaking(false)} />}
    </>
  );
}

function Arrival({ project }: { project: Project }) {
  const test = useSend({
    send: () => sendTestEvent(project.id),
    stale: [
      ["error_group", project.id],
      ["token", project.id],
    ],
    onDone: () => toast({ title: "The test event was accepted", tone: "success" }),
    failed: "The test event was not accepted",
  });
  const mayTest = can(project, "project:update") && can(project, "error-groups:create");
  return (
    <Panel
      title="Check the connection"
      lead="This updates automatically when an event arrives."
      actions={
        mayTest && (
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            Send test event
          </Button>
        )
      }
      padded
    >
      <FirstEvent project={project} />
    </Panel>
  );
}
