import { commentBody, commentChanges } from "../../../shared/comments.ts";
import { epicBody, epicChanges } from "../../../shared/epics.ts";
import { errorEvent } from "../../../shared/error-events.ts";
import { bulkStatusBody } from "../../../shared/error-groups.ts";
import { acceptInvitationBody, invitationBody } from "../../../shared/invitations.ts";
import { issueBody, issueChanges, issueMove } from "../../../shared/issues.ts";
import { labelBody, labelChanges } from "../../../shared/labels.ts";
import { laneBody, laneChanges } from "../../../shared/lanes.ts";
import { notificationIdsBody, preferencesBody } from "../../../shared/notifications.ts";
import { changePasswordBody, forgotPasswordBody, resetPasswordBody } from "../../../shared/passwords.ts";
import { personalTokenBody, profileBody, setupBody } from "../../../shared/people.ts";
import { projectTokenBody, projectTokenChanges } from "../../../shared/project-tokens.ts";
import {
  projectBody,
  projectChanges,
  projectMemberBody,
  projectMemberChanges,
} from "../../../shared/projects.ts";
import { dismissBody, promoteBody, reorderBody, reportBody } from "../../../shared/reports.ts";
import { roleBody, roleChanges } from "../../../shared/roles.ts";
import { codeBody, linkBody, signInBody, startSecondFactorBody } from "../../../shared/sign-in.ts";
import { sprintBody, sprintChanges } from "../../../shared/sprints.ts";
import { projectTeamBody, teamBody, teamChanges } from "../../../shared/teams.ts";
import { workspaceBody, workspaceChanges, workspaceMemberChanges } from "../../../shared/workspaces.ts";
import { fileForm } from "../../files/file-form.ts";
import { reportForm } from "../../intake/reports/report-form.ts";

/** The bodies that the API takes, each with an example of the same story as the answers'. */

const password = "correct horse battery";
const report = {
  title: "The cart forgets its coupon",
  description: "After signing in the coupon is gone.",
  author_name: "Kim Berg",
};
const person = { first_name: "Lin", last_name: "Osei", username: "lin" };
const issue = {
  title: "Keep the coupon when somebody signs in",
  description: "The cart is replaced by the one of the account.",
  type: 1,
  priority: 1,
  label_ids: [14],
};

export const BODIES = {
  ReportBody: { schema: reportBody, example: report },
  ReportForm: { schema: reportForm, example: report },
  FileForm: { schema: fileForm, example: undefined },
  PromoteBody: { schema: promoteBody, example: { ...issue, report_ids: [41, 43], lane_id: 22 } },
  DismissBody: {
    schema: dismissBody,
    example: { category: "duplicate", note: "The same as the report on coupons of last week." },
  },
  ReorderBody: { schema: reorderBody, example: { report_id: 41, rank_before_id: 39, rank_after_id: 40 } },
  CommentBody: {
    schema: commentBody,
    example: { content: "Happens with two coupons, too.", parent_id: 208 },
  },
  CommentChanges: { schema: commentChanges, example: { content: "Happens with any two coupons." } },
  NotificationIds: { schema: notificationIdsBody, example: { notification_ids: [501, 502] } },
  Preferences: { schema: preferencesBody, example: { notify_watched_activity_email: false } },
  BulkStatusBody: { schema: bulkStatusBody, example: { error_group_ids: [77, 78], status: 1 } },
  ErrorEvent: {
    schema: errorEvent,
    example: {
      environment: "production",
      exception_class: "App\\Exceptions\\CouponExpired",
      message: "Coupon SPRING26 has expired",
      stack_trace: "#0 /var/www/shop/app/Cart/Coupons.php(58): App\\Cart\\Coupons->check()",
      release: "4.2.1",
      runtime: { name: "php", version: "8.4.2" },
      context: { kind: "route", method: "POST", pattern: "/cart/{cart}/coupon", response_status: 500 },
      host: "web-1",
    },
  },
  IssueBody: { schema: issueBody, example: issue },
  IssueChanges: { schema: issueChanges, example: { assignee_id: 3, sprint_id: null } },
  IssueMove: { schema: issueMove, example: { lane_id: 23, rank_before_id: 310 } },
  EpicBody: { schema: epicBody, example: { title: "Checkout without an account", starts_on: "2026-11-02" } },
  EpicChanges: { schema: epicChanges, example: { state: "done" } },
  LaneBody: { schema: laneBody, example: { name: "In review", kind: "doing", position: 3 } },
  LaneChanges: { schema: laneChanges, example: { position: 2 } },
  LabelBody: { schema: labelBody, example: { name: "checkout", color: "#1f6feb" } },
  LabelChanges: { schema: labelChanges, example: { color: "#8250df" } },
  SprintBody: {
    schema: sprintBody,
    example: { name: "Week 47", goal: "Coupons hold", starts_on: "2026-11-16", ends_on: "2026-11-20" },
  },
  SprintChanges: { schema: sprintChanges, example: { state: "closed" } },
  ProjectBody: { schema: projectBody, example: { workspace_id: 1, key: "WEB", name: "Web shop" } },
  ProjectChanges: { schema: projectChanges, example: { description: "The shop and its back office." } },
  ProjectMemberBody: { schema: projectMemberBody, example: { user_id: 4, role_id: 2 } },
  ProjectMemberChanges: { schema: projectMemberChanges, example: { is_owner: true } },
  ProjectTokenBody: { schema: projectTokenBody, example: { name: "shop", access: "read_write" } },
  ProjectTokenChanges: { schema: projectTokenChanges, example: { active: false } },
  PersonalTokenBody: {
    schema: personalTokenBody,
    example: { name: "laptop", write: true, expires_at: "2100-01-01T00:00:00Z" },
  },
  ProjectTeamBody: { schema: projectTeamBody, example: { role_id: 2 } },
  WorkspaceBody: { schema: workspaceBody, example: { name: "Acme", features: { reports: true } } },
  WorkspaceChanges: { schema: workspaceChanges, example: { features: { error_tracking: false } } },
  WorkspaceMemberChanges: { schema: workspaceMemberChanges, example: { is_admin: true } },
  RoleBody: {
    schema: roleBody,
    example: { name: "Triage", permissions: ["reports:read", "reports:update"] },
  },
  RoleChanges: { schema: roleChanges, example: { name: "Support" } },
  TeamBody: { schema: teamBody, example: { name: "Checkout" } },
  TeamChanges: { schema: teamChanges, example: { name: "Checkout and payment" } },
  InvitationBody: {
    schema: invitationBody,
    example: { email: "lin@example.com", projects: [{ project_id: 5, role_id: 2 }] },
  },
  AcceptInvitationBody: { schema: acceptInvitationBody, example: { ...person, password } },
  SetupBody: {
    schema: setupBody,
    example: {
      setup_token: "as the log shows it at the first start",
      workspace_name: "Acme",
      ...person,
      email: "lin@example.com",
      password,
    },
  },
  SignInBody: { schema: signInBody, example: { email: "ada@example.com", password } },
  LinkBody: { schema: linkBody, example: { current_password: password, return_to: "/settings/profile" } },
  StartSecondFactorBody: { schema: startSecondFactorBody, example: { current_password: password } },
  CodeBody: { schema: codeBody, example: { code: "492039" } },
  ProfileBody: { schema: profileBody, example: { time_zone: "Europe/Berlin", theme: "dark" } },
  ForgotPasswordBody: { schema: forgotPasswordBody, example: { email: "ada@example.com" } },
  ResetPasswordBody: { schema: resetPasswordBody, example: { token: "of the link in the mail", password } },
  ChangePasswordBody: { schema: changePasswordBody, example: { current_password: password, password } },
};
