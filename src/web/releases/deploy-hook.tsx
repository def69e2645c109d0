import { Link } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { deployCommand } from "./deploy-command.ts";

/** How a pipeline records a deploy: one command and the token it needs. */
export function DeployHook({ project, onClose }: { project: Project; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Record deploys"
      size="lg"
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p>
          Run this at the end of your pipeline. The release then appears here at once, and fixes in it are
          verified once it has run for 48 hours without the error.
        </p>
        <CodeBlock label="Record a deploy" code={deployCommand(location.origin, project.key)} wrap />
        <p className="text-text-2">
          <code>SIGNALBOX_TOKEN</code> is a project token that may read and write.{" "}
          {can(project, "project:update") ? (
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: project.key }}
              search={{ section: "tokens" }}
              className="text-accent-text underline"
            >
              Create one in the settings
            </Link>
          ) : (
            "Someone who manages the project can create one."
          )}
          {can(project, "project:update") && "."} The version must be the same as the release that your app
          sends with its errors. <code>commit</code>, <code>url</code> and <code>deployed_at</code> are
          optional.
        </p>
      </div>
    </Dialog>
  );
}
