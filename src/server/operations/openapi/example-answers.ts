import { auditEventAnswer } from "../../../shared/audit.ts";
import { personAnswer } from "../../../shared/answers.ts";
import { commentAnswer, type Comment } from "../../../shared/comments.ts";
import { epicAnswer } from "../../../shared/epics.ts";
import {
  errorGroupAnswer,
  errorGroupListItemAnswer,
  type ErrorGroup,
  type ErrorGroupListItem,
} from "../../../shared/error-groups.ts";
import {
  invitationAnswer,
  invitationPreviewAnswer,
  newInvitationAnswer,
} from "../../../shared/invitations.ts";
import { issueActivityAnswer, issueAnswer } from "../../../shared/issues.ts";
import { labelAnswer } from "../../../shared/labels.ts";
import { laneAnswer } from "../../../shared/lanes.ts";
import { mailAnswer } from "../../../shared/mails.ts";
import { notificationAnswer } from "../../../shared/notifications.ts";
import {
  newPersonalTokenAnswer,
  personalTokenAnswer,
  PREFERENCES,
  profileAnswer,
} from "../../../shared/people.ts";
import { newProjectTokenAnswer, projectTokenAnswer } from "../../../shared/project-tokens.ts";
import { projectAnswer, projectMemberAnswer } from "../../../shared/projects.ts";
import { attachmentAnswer, reportAnswer } from "../../../shared/reports.ts";
import { roleAnswer } from "../../../shared/roles.ts";
import { searchHitAnswer } from "../../../shared/search.ts";
import { sessionAnswer } from "../../../shared/sessions.ts";
import {
  identityAnswer,
  linkAnswer,
  newSecondFactorAnswer,
  recoveryCodesAnswer,
  secondFactorAnswer,
  signInMethodsAnswer,
  signInRefusedAnswer,
} from "../../../shared/sign-in.ts";
import { sprintAnswer } from "../../../shared/sprints.ts";
import { projectTeamAnswer, teamAnswer, teamDetailAnswer, teamMemberAnswer } from "../../../shared/teams.ts";
import { workspaceAnswer, workspaceMemberAnswer } from "../../../shared/workspaces.ts";
import { notReadyAnswer, readyAnswer } from "../health/readiness.ts";
import {
  forbiddenAnswer,
  invalidAnswer,
  messageAnswer,
  unexpectedAnswer,
} from "../../answers/error-answers.ts";

/** The resources that the API answers, each with an example: one little story of a web shop. */

const AT = "2026-11-20T09:14:07.482913Z";
const LATER = "2026-11-20T16:40:31.007254Z";
const FIRST = "2026-11-18T22:03:55.120844+00:00";
const LAST = "2026-11-20T16:40:31.007254+00:00";

const ada = { user_id: 3, username: "ada", first_name: "Ada", last_name: "Moss", profile_picture: null };
const features = { reports: true, error_tracking: true };

const report = {
  id: 41,
  title: "The cart forgets its coupon",
  description: "After signing in the coupon is gone.",
  source: 1 as const,
  author_name: "Kim Berg",
  project_id: 5,
  created_by: null,
  promoted_issue_id: null,
  promoted_at: null,
  dismissed_at: null,
  dismiss_reason: null,
  dismiss_reason_note: null,
  rank: "a1V",
  attachments_count: 1,
  created_at: AT,
  updated_at: AT,
};

const comment: Comment = {
  id: 208,
  content: "Happens with two coupons as well. @ada, have a look?",
  parent_id: null,
  is_pinned: false,
  user_id: 4,
  commentable_type: "issues",
  commentable_id: 312,
  created_at: AT,
  liker_ids: [3],
};

const listed: ErrorGroupListItem = {
  id: 77,
  project_id: 5,
  environment: "production",
  release: "4.2.0",
  last_release: "4.2.1",
  exception_class: "App\\Exceptions\\CouponExpired",
  latest_message: "Coupon SPRING26 has expired",
  context_kind: "route",
  context_label: "POST /cart/{cart}/coupon",
  occurrence_count: 34,
  affected_users: 12,
  status: 0,
  resolved_at: null,
  resolved_by_id: null,
  regressed_at: null,
  reopen_count: 0,
  linked_issue_id: 312,
  first_seen_at: FIRST,
  last_seen_at: LAST,
  created_at: FIRST,
  updated_at: LAST,
  daily_counts: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 11, 20],
};

const group: ErrorGroup = {
  ...listed,
  daily_counts: [...Array.from({ length: 27 }, () => 0), 3, 11, 20],
  latest_stack_trace: "#0 /var/www/shop/app/Cart/Coupons.php(58): App\\Cart\\Coupons->check()",
  previous_exceptions: [
    {
      exception_class: "DomainException",
      message: "not valid any more",
      stack_trace: "#0 app/Cart/Coupon.php(21): check()",
    },
  ],
  exception_code: "E_COUPON",
  runtime: { name: "php", version: "8.4.2" },
  framework: { name: "laravel", version: "12.1" },
  memory_peak_bytes: 18_874_368,
  memory_limit_bytes: 134_217_728,
  context: {
    kind: "route",
    name: "cart.coupon",
    method: "POST",
    pattern: "/cart/{cart}/coupon",
    action: "CouponController@store",
    response_status: 500,
  },
  releases: [
    { release: "4.2.0", occurrence_count: 14, first_seen_at: FIRST, last_seen_at: FIRST },
    { release: "4.2.1", occurrence_count: 20, first_seen_at: LAST, last_seen_at: LAST },
  ],
  hosts: [{ name: "web-1", count: 34 }],
};

const invitation = {
  id: 9,
  email: "lin@example.com",
  is_admin: false,
  projects: [{ project_id: 5, role_id: 2 }],
  expires_at: "2026-11-27T09:14:07.482913Z",
  created_at: AT,
};

const projectToken = {
  id: 6,
  name: "shop",
  access: "read_write" as const,
  active: true,
  last_four: "x7Qd",
  created_by: 3,
  expires_at: null,
  last_used_at: LATER,
  created_at: AT,
};

const personalToken = {
  id: 15,
  name: "laptop",
  last_four: "p0Zt",
  write: true,
  expires_at: "2027-05-20T00:00:00.000000Z",
  last_used_at: null,
  created_at: AT,
};

const team = { id: 2, name: "Checkout", members_count: 1, created_at: AT };

const checks = { database: "ok", migrations: "ok", disk: "ok", draining: false } as const;

export const ANSWERS = {
  Message: { schema: messageAnswer, example: { message: "There is no such project." } },
  Forbidden: { schema: forbiddenAnswer, example: { message: "You have no access to this project." } },
  Invalid: {
    schema: invalidAnswer,
    example: { message: "title is required", errors: { title: ["is required"] } },
  },
  Unexpected: {
    schema: unexpectedAnswer,
    example: { message: "Something went wrong on our side. It has been logged.", request_id: "3f1c9a52-4k" },
  },
  Report: { schema: reportAnswer, example: report },
  Attachment: {
    schema: attachmentAnswer,
    example: {
      id: 18,
      filename: "cart.webp",
      mime_type: "image/webp",
      size: 48_213,
      user_id: 3,
      created_at: AT,
    },
  },
  Comment: { schema: commentAnswer, example: comment },
  Notification: {
    schema: notificationAnswer,
    example: {
      id: 501,
      type: 4,
      message: "Ada Moss mentioned you in WEB-12",
      read_at: null,
      created_at: AT,
      actor: { id: 3, first_name: "Ada", last_name: "Moss", profile_picture: null },
      notifiable: { type: "issue", id: 312, key: "WEB-12", title: "Keep the coupon", project_id: 5 },
    },
  },
  ErrorGroup: { schema: errorGroupAnswer, example: group },
  ErrorGroupListItem: { schema: errorGroupListItemAnswer, example: listed },
  Issue: {
    schema: issueAnswer,
    example: {
      id: 312,
      key: "WEB-12",
      project_id: 5,
      title: "Keep the coupon when somebody signs in",
      description: "The cart is replaced by the one of the account.",
      type: 1,
      priority: 1,
      lane_id: 22,
      rank: "a0",
      assignee_id: 3,
      created_by: 4,
      sprint_id: null,
      epic_id: 8,
      estimated_minutes: 90,
      label_ids: [14],
      blocked_by_ids: [],
      blocks_ids: [],
      report_ids: [41],
      error_group_id: 77,
      comments_count: 2,
      watching: true,
      created_at: AT,
      updated_at: LATER,
      closed_at: null,
    },
  },
  IssueActivity: {
    schema: issueActivityAnswer,
    example: { id: 940, actor_id: 4, kind: "priority", from: 2, to: 1, created_at: LATER },
  },
  Epic: {
    schema: epicAnswer,
    example: {
      id: 8,
      project_id: 5,
      title: "Checkout without an account",
      description: null,
      state: "open",
      starts_on: "2026-11-02",
      ends_on: null,
      created_by: 3,
      issue_counts: { backlog: 4, todo: 2, doing: 1, done: 9 },
      created_at: AT,
      updated_at: LATER,
    },
  },
  Lane: {
    schema: laneAnswer,
    example: { id: 22, project_id: 5, name: "To do", kind: "todo", position: 1, created_at: AT },
  },
  Label: {
    schema: labelAnswer,
    example: { id: 14, project_id: 5, name: "checkout", color: "#1f6feb", created_at: AT },
  },
  Sprint: {
    schema: sprintAnswer,
    example: {
      id: 31,
      project_id: 5,
      name: "Week 47",
      goal: "Coupons hold",
      starts_on: "2026-11-16",
      ends_on: "2026-11-20",
      state: "active",
      created_at: AT,
      updated_at: AT,
    },
  },
  Project: {
    schema: projectAnswer,
    example: {
      id: 5,
      workspace_id: 1,
      key: "WEB",
      name: "Web shop",
      description: null,
      features,
      is_owner: false,
      permissions: ["reports:read", "issues:read", "issues:update"],
      created_at: AT,
      updated_at: AT,
    },
  },
  ProjectMember: {
    schema: projectMemberAnswer,
    example: { ...ada, is_admin: false, active: true, role_id: 2, is_owner: true },
  },
  Person: { schema: personAnswer, example: ada },
  ProjectToken: { schema: projectTokenAnswer, example: projectToken },
  NewProjectToken: {
    schema: newProjectTokenAnswer,
    example: { ...projectToken, last_used_at: null, token: "sbx_prj_…" },
  },
  PersonalToken: { schema: personalTokenAnswer, example: personalToken },
  NewPersonalToken: { schema: newPersonalTokenAnswer, example: { ...personalToken, token: "sbx_pat_…" } },
  Workspace: {
    schema: workspaceAnswer,
    example: { id: 1, name: "Acme", features, is_admin: true, created_at: AT, updated_at: AT },
  },
  WorkspaceMember: { schema: workspaceMemberAnswer, example: { ...ada, is_admin: true, active: true } },
  Role: {
    schema: roleAnswer,
    example: {
      id: 4,
      name: "Reporter",
      permissions: ["reports:create", "reports:read"],
      built_in: true,
      members_count: 6,
      teams_count: 1,
      created_at: AT,
    },
  },
  Team: { schema: teamAnswer, example: team },
  TeamMember: { schema: teamMemberAnswer, example: { ...ada, active: true } },
  TeamDetail: {
    schema: teamDetailAnswer,
    example: {
      ...team,
      members: [{ ...ada, active: true }],
      projects: [{ project_id: 5, key: "WEB", name: "Web shop", role_id: 2 }],
    },
  },
  ProjectTeam: {
    schema: projectTeamAnswer,
    example: { team_id: 2, name: "Checkout", role_id: 2, members_count: 1, created_at: AT },
  },
  Invitation: { schema: invitationAnswer, example: invitation },
  NewInvitation: {
    schema: newInvitationAnswer,
    example: { ...invitation, link: "https://signalbox.example.com/invitations/…" },
  },
  InvitationPreview: {
    schema: invitationPreviewAnswer,
    example: {
      workspace: { id: 1, name: "Acme" },
      email: "lin@example.com",
      expires_at: invitation.expires_at,
    },
  },
  Mail: {
    schema: mailAnswer,
    example: {
      id: 88,
      user_id: 4,
      to: "kim@example.com",
      subject: "WEB-12 was assigned to you",
      lines: ["Ada Moss assigned WEB-12 to you."],
      link: "https://signalbox.example.com/projects/WEB/issues/WEB-12",
      preference: "notify_assignment",
      state: "sent",
      attempts: 1,
      last_error: null,
      created_at: AT,
      sent_at: LATER,
    },
  },
  AuditEvent: {
    schema: auditEventAnswer,
    example: {
      id: 1204,
      kind: "role.changed",
      actor: { id: 3, name: "Ada Moss" },
      subject: { type: "role", id: 4, name: "Reporter" },
      details: {},
      ip: "192.0.2.17",
      user_agent: "Mozilla/5.0",
      created_at: AT,
    },
  },
  SearchHit: {
    schema: searchHitAnswer,
    example: {
      kind: "issue",
      id: 312,
      key: "WEB-12",
      title: "Keep the coupon when somebody signs in",
      excerpt: "The cart is replaced by the one of the account.",
      project_id: 5,
      issue_id: null,
      epic_id: null,
      lane_kind: "todo",
      state: null,
      view: null,
      status: null,
    },
  },
  Profile: {
    schema: profileAnswer,
    example: {
      id: 3,
      username: "ada",
      email: "ada@example.com",
      first_name: "Ada",
      last_name: "Moss",
      profile_picture: null,
      time_zone: "Europe/Berlin",
      theme: "system",
      single_keys: true,
      is_admin: true,
      created_at: AT,
      ...Object.fromEntries(PREFERENCES.map((preference) => [preference, true])),
    },
  },
  Session: {
    schema: sessionAnswer,
    example: {
      id: 60,
      current: true,
      user_agent: "Mozilla/5.0",
      created_at: AT,
      last_used_at: LATER,
      expires_at: "2026-12-20T09:14:07.482913Z",
    },
  },
  SignInMethods: {
    schema: signInMethodsAnswer,
    example: { password: true, oidc: { name: "Acme accounts" } },
  },
  SignInRefused: {
    schema: signInRefusedAnswer,
    example: { message: "The e-mail address or the password is wrong." },
  },
  SecondFactor: { schema: secondFactorAnswer, example: { active: true, recovery_codes_left: 9 } },
  NewSecondFactor: {
    schema: newSecondFactorAnswer,
    example: {
      secret: "JBSWY3DPEHPK3PXP",
      otpauth_url: "otpauth://totp/Signalbox:ada?secret=JBSWY3DPEHPK3PXP",
    },
  },
  RecoveryCodes: { schema: recoveryCodesAnswer, example: { recovery_codes: ["k3mq-91xz-7wpd"] } },
  Identity: {
    schema: identityAnswer,
    example: {
      id: 2,
      issuer: "https://accounts.example.com",
      email: "ada@example.com",
      created_at: AT,
      last_used_at: LATER,
    },
  },
  Link: {
    schema: linkAnswer,
    example: { authorization_url: "https://accounts.example.com/authorize?client_id=signalbox&state=9kTz" },
  },
  Ready: { schema: readyAnswer, example: { status: "ready", checks } },
  NotReady: {
    schema: notReadyAnswer,
    example: { message: "The disk is nearly full.", checks: { ...checks, disk: "failed" } },
  },
};
