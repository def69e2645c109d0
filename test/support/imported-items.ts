import type {
  ImportedErrorGroup,
  ImportedIssue,
  ImportedReport,
} from "../../src/server/integrations/transfer/import/item.ts";
export const ISSUE: ImportedIssue = {
  item: "issue",
  ref: { id: "1", url: "https://git.example/shop/issues/1" },
  where: "1",
  title: "Checkout fails",
  description: "With two coupons",
  lane: null,
  labels: [],
  sprint: null,
  epic: null,
  author: null,
  assignee: null,
  created_at: "2025-03-01T10:00:00Z",
  updated_at: "2025-03-02T10:00:00Z",
  closed_at: null,
  comments: [],
};

export const REPORT: ImportedReport = {
  item: "report",
  ref: { id: "report 7", url: "https://ideas.example/posts/7" },
  where: "7",
  title: "Dark mode",
  description: "Please",
  voices: 12,
  dismissal: null,
  author: { name: "Kim", login: null, email: null },
  created_at: "2025-03-01T10:00:00Z",
  updated_at: null,
  comments: [],
};

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

export const GROUP: ImportedErrorGroup = {
  item: "error_group",
  ref: { id: "group 99", url: "https://errors.example/issues/99" },
  where: "99",
  exception_class: "TypeError",
  message: "x is undefined",
  event: null,
  environment: null,
  release: "1.4.2",
  level: "warning",
  status: 2,
  resolved_at: null,
  occurrence_count: 4_200,
  first_seen_at: daysAgo(40),
  last_seen_at: daysAgo(2),
  author: null,
  assignee: null,
  created_at: null,
  updated_at: null,
  comments: [],
};
