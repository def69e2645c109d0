import type { FastifyInstance } from "fastify";
import { withZod, type Api, type Context } from "../access/context.ts";
import { passwordRoutes } from "../account/password/routes.ts";
import { personalTokenRoutes } from "../account/personal-tokens/routes.ts";
import { pictureRoutes, pictureUploadRoutes } from "../account/profile/picture-routes.ts";
import { addressRoutes } from "../account/profile/address-routes.ts";
import { profileRoutes } from "../account/profile/routes.ts";
import { secondFactorRoutes } from "../account/second-factor/routes.ts";
import { ownSessionRoutes } from "../account/sessions/routes.ts";
import { sessionRoutes } from "../account/sessions/sign-in-routes.ts";
import type { Operation } from "../answers/operation.ts";
import { storageRoute } from "../attachments/storage-route.ts";
import { bootRoutes } from "../boot/routes.ts";
import { homeRoutes } from "../home/routes.ts";
import { consentRoutes } from "../integrations/agents/oauth/consent-routes.ts";
import { discoveryRoutes } from "../integrations/agents/oauth/discovery-routes.ts";
import { tokenRoutes } from "../integrations/agents/oauth/token-routes.ts";
import { llmsTextRoute } from "../integrations/agents/markdown/llms-text-route.ts";
import { markdownPageRoutes } from "../integrations/agents/markdown/routes.ts";
import { mcpRoutes } from "../integrations/agents/mcp/routes.ts";
import { gitReceivingRoute } from "../integrations/git/receiving-route.ts";
import { exportRoute } from "../integrations/transfer/export/routes.ts";
import { gitConnectionRoutes } from "../integrations/git/routes.ts";
import { createImportRoute, importRoutes } from "../integrations/transfer/import/runs/routes.ts";
import { suspectsRoute } from "../integrations/git/suspects-route.ts";
import { notificationRoutes } from "../inform/inbox/routes.ts";
import { forwardingRoute } from "../ingest/relay/routes.ts";
import { groupReportsRoute } from "../errors/groups/reports-route.ts";
import { errorGroupRoutes, type ReadFrames } from "../errors/groups/routes.ts";
import { errorGroupWorkRoutes } from "../errors/groups/work-routes.ts";
import { groupingRoutes } from "../errors/grouping/routes.ts";
import { alertRuleRoutes } from "../integrations/alert-rules/routes.ts";
import { webhookRoutes } from "../integrations/webhooks/routes.ts";
import { inboundRuleRoutes } from "../errors/rules/inbound/routes.ts";
import { keptEventRoutes } from "../errors/kept-events/routes.ts";
import { readLatestFrames } from "../errors/kept-events/read-mapped-event.ts";
import { privacyRuleRoutes } from "../errors/rules/privacy/routes.ts";
import { releaseRoutes } from "../errors/releases/routes.ts";
import { addAttachmentRoute } from "../reports/add-attachment-route.ts";
import { reportAttachmentRoutes } from "../reports/attachment-routes.ts";
import { createReportRoute } from "../reports/create-report-route.ts";
import { publicFormRoutes } from "../reports/form/routes.ts";
import { feedbackRoutes, outsideReportRoutes } from "../reports/outside/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { statusLinkRoutes } from "../reports/status-link-routes.ts";
import { statusPageRoute } from "../reports/status/page-route.ts";
import { reportStatusRoutes } from "../reports/status/routes.ts";
import { similarRoutes } from "../reports/similar/routes.ts";
import { reportWatchRoutes } from "../reports/watch-routes.ts";
import { subscriptionRoutes } from "../reports/subscriptions/routes.ts";
import { subscriptionPageRoutes } from "../reports/subscriptions/page-routes.ts";
import { mailLinkRoutes } from "../reports/subscriptions/mail-link-routes.ts";
import { artifactRoutes, uploadArtifactsRoute } from "../source-maps/artifacts/routes.ts";
import { SourceMapReader } from "../source-maps/mapping/map-reader.ts";
import { releaseMappingRoute } from "../source-maps/mapping/routes.ts";
import { sentryClientRoutes } from "../source-maps/sentry-clients/routes.ts";
import { usageRoutes } from "../errors/usage/routes.ts";
import type { LiveUpdates } from "../live/live-updates.ts";
import { liveRoutes } from "../live/routes.ts";
import { monitorRoutes } from "../monitors/routes.ts";
import { mailRoutes } from "../mail/routes.ts";
import { healthRoutes } from "../serve/health/routes.ts";
import { metricsRoutes } from "../serve/metrics/routes.ts";
import { widgetRoutes } from "../serve/widget/routes.ts";
import { openApiRoutes } from "../serve/openapi/routes.ts";
import { auditRoutes } from "../people/audit-log/routes.ts";
import { deletionRoutes } from "../people/deletions/routes.ts";
import { invitationRoutes } from "../people/invitations/routes.ts";
import { ingestKeyRoutes } from "../people/projects/ingest-keys/routes.ts";
import { projectMemberRoutes } from "../people/projects/members/routes.ts";
import { projectRoutes } from "../people/projects/routes.ts";
import { projectTokenRoutes } from "../people/projects/tokens/routes.ts";
import { roleRoutes } from "../people/roles/routes.ts";
import { projectTeamRoutes } from "../people/teams/projects/routes.ts";
import { teamRoutes } from "../people/teams/routes.ts";
import { workspaceMemberRoutes } from "../people/workspaces/members/routes.ts";
import { workspaceRoutes } from "../people/workspaces/routes.ts";
import { pushRoutes } from "../push/routes.ts";
import { savedViewRoutes } from "../saved-views/routes.ts";
import { searchRoutes } from "../search/routes.ts";
import { identityRoutes } from "../sign-in/oidc/identity-routes.ts";
import { oidcRoutes } from "../sign-in/oidc/routes.ts";
import { setupRoutes } from "../sign-in/setup/routes.ts";
import { addDraftFileRoute, draftFileRoute } from "../work/attachments/draft-file-routes.ts";
import { addAttachmentRoutes, attachmentRoutes } from "../work/attachments/routes.ts";
import { commentRoutes } from "../work/comments/routes.ts";
import { epicRoutes } from "../work/epics/routes.ts";
import { issueTemplateRoutes } from "../work/issue-templates/routes.ts";
import { issueRoutes } from "../work/issues/routes.ts";
import { issueWatchRoutes } from "../work/issues/watch-routes.ts";
import { labelRoutes } from "../work/labels/routes.ts";
import { laneRoutes } from "../work/lanes/routes.ts";
import { sprintRoutes } from "../work/sprints/routes.ts";

type RouteOptions = {
  operations: Operation[];
  updates: LiveUpdates;
  isDraining: () => boolean;
};

/** Adds the routes of each area, except those that receive errors; start-intake.ts adds these. */
export async function addRoutes(
  app: FastifyInstance,
  context: Context,
  { operations, updates, isDraining }: RouteOptions,
) {
  const api = withZod(app);
  const sourceMaps = new SourceMapReader(context.storage, app.log);
  app.addHook("onClose", () => sourceMaps.close());
  addServerRoutes(api, context, operations, isDraining);
  addAccountRoutes(api, context);
  addPeopleRoutes(api, context);
  addWorkRoutes(api, context);
  addErrorRoutes(api, context, sourceMaps);
  addReportRoutes(api, context);
  liveRoutes(api, updates);
  await addRoutesWithBodies(app, context, sourceMaps);
}

function addServerRoutes(api: Api, context: Context, operations: Operation[], isDraining: () => boolean) {
  healthRoutes(api, context, isDraining);
  metricsRoutes(api, context);
  openApiRoutes(api, operations);
  widgetRoutes(api);
  bootRoutes(api, context);
  homeRoutes(api);
  savedViewRoutes(api);
  searchRoutes(api);
  storageRoute(api, context);
}

function addAccountRoutes(api: Api, context: Context) {
  setupRoutes(api, context);
  sessionRoutes(api, context);
  ownSessionRoutes(api, context);
  oidcRoutes(api, context);
  identityRoutes(api);
  secondFactorRoutes(api, context);
  passwordRoutes(api, context);
  profileRoutes(api, context);
  addressRoutes(api, context);
  pictureRoutes(api, context);
  personalTokenRoutes(api);
  discoveryRoutes(api, context);
  consentRoutes(api, context);
}

function addPeopleRoutes(api: Api, context: Context) {
  workspaceRoutes(api);
  workspaceMemberRoutes(api);
  roleRoutes(api);
  teamRoutes(api);
  invitationRoutes(api, context);
  mailRoutes(api, context);
  pushRoutes(api);
  auditRoutes(api);
  projectRoutes(api, context);
  deletionRoutes(api);
  projectMemberRoutes(api);
  projectTeamRoutes(api);
  projectTokenRoutes(api);
  ingestKeyRoutes(api, context);
}

function addWorkRoutes(api: Api, context: Context) {
  laneRoutes(api);
  labelRoutes(api);
  issueTemplateRoutes(api);
  sprintRoutes(api, context);
  epicRoutes(api, context);
  issueRoutes(api, context);
  commentRoutes(api, context);
  notificationRoutes(api, context);
  issueWatchRoutes(api, context);
  attachmentRoutes(api, context);
  draftFileRoute(api, context);
}

function addErrorRoutes(api: Api, context: Context, sourceMaps: SourceMapReader) {
  const readFrames: ReadFrames = (errorDb, group) => readLatestFrames(errorDb, sourceMaps, group);
  errorGroupRoutes(api, context, readFrames);
  usageRoutes(api, context);
  forwardingRoute(api);
  groupReportsRoute(api);
  errorGroupWorkRoutes(api, context);
  groupingRoutes(api, context);
  keptEventRoutes(api, context, sourceMaps);
  privacyRuleRoutes(api, context);
  inboundRuleRoutes(api);
  releaseRoutes(api, context);
  releaseMappingRoute(api);
  artifactRoutes(api, context);
  monitorRoutes(api, context);
  alertRuleRoutes(api);
  webhookRoutes(api, context);
  gitConnectionRoutes(api, context);
  importRoutes(api);
  exportRoute(api, context);
  suspectsRoute(api, readFrames);
  markdownPageRoutes(api, context, readFrames);
  llmsTextRoute(api, context);
  mcpRoutes(api, context, readFrames);
}

function addReportRoutes(api: Api, context: Context) {
  reportRoutes(api, context);
  reportWatchRoutes(api);
  outsideReportRoutes(api);
  statusLinkRoutes(api, context);
  reportStatusRoutes(api, context);
  statusPageRoute(api, context);
  subscriptionRoutes(api, context);
  subscriptionPageRoutes(api, context);
  similarRoutes(api);
  reportAttachmentRoutes(api, context);
}

/** These routes read their own bodies, so each has its own scope. */
async function addRoutesWithBodies(app: FastifyInstance, context: Context, sourceMaps: SourceMapReader) {
  await app.register(async (scope) => createReportRoute(withZod(scope), context));
  await app.register(async (scope) => publicFormRoutes(withZod(scope), context));
  await app.register(async (scope) => feedbackRoutes(withZod(scope), context));
  await app.register(async (scope) => addAttachmentRoute(withZod(scope), context));
  await app.register(async (scope) => {
    addAttachmentRoutes(withZod(scope), context);
    addDraftFileRoute(withZod(scope), context);
  });
  await app.register(async (scope) => pictureUploadRoutes(withZod(scope), context));
  await app.register(async (scope) => uploadArtifactsRoute(withZod(scope), context, sourceMaps));
  await app.register(async (scope) => createImportRoute(withZod(scope), context));
  await app.register(async (scope) => gitReceivingRoute(withZod(scope)));
  await app.register(async (scope) => mailLinkRoutes(withZod(scope)));
  await app.register(async (scope) => tokenRoutes(withZod(scope), context));
  await app.register(async (scope) => sentryClientRoutes(withZod(scope), context, sourceMaps));
}
