import type { z } from "zod";
import { errorAnswerExamples } from "../../answers/error-answers.ts";
import { fileFormExamples } from "../../files/file-form.ts";
import { reportFormExamples } from "../../reports/report-form.ts";
import { feedbackFormExamples } from "../../reports/outside/feedback-form.ts";
import { readinessExamples } from "../health/readiness.ts";
import { openApiExamples } from "./document-schema.ts";
import { personExamples } from "../../../shared/answers.ts";
import { attachmentExamples } from "../../../shared/attachments.ts";
import { auditExamples } from "../../../shared/audit.ts";
import { bootExamples } from "../../../shared/boot.ts";
import { commentExamples } from "../../../shared/comments.ts";
import { epicExamples } from "../../../shared/epics.ts";
import { errorEventExamples } from "../../../shared/error-events.ts";
import { otlpExamples } from "../../../shared/otlp.ts";
import { errorGroupingExamples } from "../../../shared/error-grouping.ts";
import { errorGroupWorkExamples } from "../../../shared/error-group-work.ts";
import { errorGroupExamples } from "../../../shared/error-groups.ts";
import { feedbackExamples } from "../../../shared/feedback.ts";
import { gitExamples } from "../../../shared/git.ts";
import { importExamples } from "../../../shared/imports.ts";
import { alertRuleExamples } from "../../../shared/alert-rule-examples.ts";
import { monitorExamples } from "../../../shared/monitors.ts";
import { homeExamples } from "../../../shared/home.ts";
import { inboundRuleExamples } from "../../../shared/inbound-rules.ts";
import { ingestKeyExamples } from "../../../shared/ingest-keys.ts";
import { webhookExamples } from "../../../shared/webhooks.ts";
import { invitationExamples } from "../../../shared/invitations.ts";
import { issueTemplateExamples } from "../../../shared/issue-templates.ts";
import { issueExamples } from "../../../shared/issues.ts";
import { keptEventExamples } from "../../../shared/kept-events.ts";
import { sourceMapExamples } from "../../../shared/source-maps.ts";
import { labelExamples } from "../../../shared/labels.ts";
import { laneExamples } from "../../../shared/lanes.ts";
import { mailExamples } from "../../../shared/mails.ts";
import { pushExamples } from "../../../shared/push.ts";
import { notificationExamples } from "../../../shared/notifications.ts";
import { oauthExamples } from "../../../shared/oauth.ts";
import { oauthClientExamples } from "../../../shared/oauth-clients.ts";
import { passwordExamples } from "../../../shared/passwords.ts";
import { profileExamples } from "../../../shared/people.ts";
import { privacyRuleExamples } from "../../../shared/privacy-rules.ts";
import { personalTokenExamples } from "../../../shared/personal-tokens.ts";
import { projectTokenExamples } from "../../../shared/project-tokens.ts";
import { deletionExamples } from "../../../shared/deletions.ts";
import { projectExamples } from "../../../shared/projects.ts";
import { releaseHealthExamples } from "../../../shared/release-health.ts";
import { releaseExamples } from "../../../shared/releases.ts";
import { reportActivityExamples } from "../../../shared/report-activity.ts";
import { reportStatusExamples } from "../../../shared/report-status.ts";
import { reportExamples } from "../../../shared/reports.ts";
import { roleExamples } from "../../../shared/roles.ts";
import { savedViewExamples } from "../../../shared/saved-views.ts";
import { searchExamples } from "../../../shared/search.ts";
import { sessionExamples } from "../../../shared/sessions.ts";
import { signInExamples } from "../../../shared/sign-in.ts";
import { similarExamples } from "../../../shared/similar.ts";
import { sprintExamples } from "../../../shared/sprints.ts";
import { subscriptionExamples } from "../../../shared/subscriptions.ts";
import { teamExamples } from "../../../shared/teams.ts";
import { forwardingExamples } from "../../../shared/forwarding.ts";
import { usageExamples } from "../../../shared/usage.ts";
import { widgetExamples } from "../../../shared/widget.ts";
import { workspaceExamples } from "../../../shared/workspaces.ts";

type NamedSchema = { schema: z.ZodType; example: unknown };

/** The document's components by name. The examples are declared next to their schemas. */
export const NAMED_SCHEMAS: Record<string, NamedSchema> = {
  ...errorAnswerExamples,
  ...fileFormExamples,
  ...reportFormExamples,
  ...feedbackFormExamples,
  ...readinessExamples,
  ...openApiExamples,
  ...personExamples,
  ...attachmentExamples,
  ...auditExamples,
  ...bootExamples,
  ...commentExamples,
  ...epicExamples,
  ...errorEventExamples,
  ...otlpExamples,
  ...errorGroupExamples,
  ...errorGroupWorkExamples,
  ...errorGroupingExamples,
  ...feedbackExamples,
  ...gitExamples,
  ...importExamples,
  ...homeExamples,
  ...alertRuleExamples,
  ...monitorExamples,
  ...inboundRuleExamples,
  ...ingestKeyExamples,
  ...webhookExamples,
  ...keptEventExamples,
  ...sourceMapExamples,
  ...invitationExamples,
  ...issueExamples,
  ...issueTemplateExamples,
  ...labelExamples,
  ...laneExamples,
  ...mailExamples,
  ...notificationExamples,
  ...oauthExamples,
  ...oauthClientExamples,
  ...pushExamples,
  ...passwordExamples,
  ...privacyRuleExamples,
  ...profileExamples,
  ...projectTokenExamples,
  ...personalTokenExamples,
  ...projectExamples,
  ...deletionExamples,
  ...reportExamples,
  ...reportStatusExamples,
  ...reportActivityExamples,
  ...roleExamples,
  ...releaseHealthExamples,
  ...releaseExamples,
  ...savedViewExamples,
  ...searchExamples,
  ...sessionExamples,
  ...signInExamples,
  ...similarExamples,
  ...sprintExamples,
  ...subscriptionExamples,
  ...teamExamples,
  ...forwardingExamples,
  ...usageExamples,
  ...widgetExamples,
  ...workspaceExamples,
};
