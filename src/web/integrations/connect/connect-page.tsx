import { useParams } from "@tanstack/react-router";
import { PageHeader } from "../../kit/page-header.tsx";
import { NotFoundPage } from "../../page/not-found.tsx";
import { GitSetup } from "../git/git-setup.tsx";
import { crumbsOf, ForOwner } from "../owner.tsx";
import { GIT_SERVICES, isGitHost, isWebhookFormat, WEBHOOK_SERVICES } from "../services.ts";
import { NewWebhook } from "../webhooks/new-webhook.tsx";

/** How to connect a service, step by step, with the form that does it. */
export function ConnectPage() {
  const { service = "" } = useParams({ strict: false });
  return (
    <ForOwner>
      {(owner) => {
        if (isWebhookFormat(service))
          return (
            <>
              <PageHeader title={`Connect ${WEBHOOK_SERVICES[service].label}`} crumbs={crumbsOf(owner)} />
              <div className={CONTENT}>
                <NewWebhook key={service} owner={owner} format={service} />
              </div>
            </>
          );
        if (isGitHost(service) && owner.kind === "projects")
          return (
            <>
              <PageHeader title={`Connect ${GIT_SERVICES[service].label}`} crumbs={crumbsOf(owner)} />
              <div className={CONTENT}>
                <GitSetup key={service} project={owner.project} host={service} />
              </div>
            </>
          );
        return <NotFoundPage />;
      }}
    </ForOwner>
  );
}

const CONTENT = "flex w-full max-w-[960px] flex-col gap-8 px-4 py-6";
