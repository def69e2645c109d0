import {
  Cable,
  FolderGit2,
  Gamepad2,
  GitBranch,
  GitFork,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  Send,
  Smartphone,
} from "lucide-react";
import type { GitHost } from "../../shared/git.ts";
import type { WebhookFormat } from "../../shared/webhooks.ts";

export type Service = { label: string; icon: LucideIcon; text: string };

/** Where the address of a webhook comes from, and what it looks like. */
type WebhookService = Service & {
  /** What to do there, in order. Ends with the address that belongs into the form. */
  steps: readonly string[];
  urlLabel: string;
  example: string;
};

/** What receives events: programs, and chat services that show each as a message. */
export const WEBHOOK_SERVICES: Record<WebhookFormat, WebhookService> = {
  signalbox: {
    label: "Webhook",
    icon: Cable,
    text: "Sends signed JSON to your own program.",
    steps: [
      "Deploy an HTTPS endpoint that accepts POST requests with JSON and responds with a 2xx status within 30 seconds.",
      "Enter its address below and choose the events that it receives.",
      "Copy the secret, which is shown once, and verify the signature of each request with a library of Standard Webhooks.",
    ],
    urlLabel: "URL",
    example: "https://hooks.example.com/signalbox",
  },
  slack: {
    label: "Slack",
    icon: MessageSquareText,
    text: "Posts messages to a channel. Mattermost and Rocket.Chat work the same way.",
    steps: [
      "Open api.slack.com/apps, choose Create New App, then From scratch, and select your workspace.",
      "Open Incoming Webhooks and turn them on.",
      "Choose Add New Webhook to Workspace and select the channel.",
      "Copy the webhook URL and paste it below. In Mattermost, it is under Integrations → Incoming Webhooks; in Rocket.Chat, under Administration → Integrations → New → Incoming.",
    ],
    urlLabel: "Webhook URL",
    example: "https://hooks.slack.com/services/T024/B061/9mQ2",
  },
  discord: {
    label: "Discord",
    icon: Gamepad2,
    text: "Posts messages to a channel.",
    steps: [
      "Open the settings of the channel and choose Integrations, then Webhooks.",
      "Choose New Webhook and give it a name, such as Signalbox.",
      "Choose Copy Webhook URL and paste it below.",
    ],
    urlLabel: "Webhook URL",
    example: "https://discord.com/api/webhooks/123/abc",
  },
  teams: {
    label: "Microsoft Teams",
    icon: MessageCircle,
    text: "Posts cards to a channel or chat.",
    steps: [
      "Open the menu of the channel and choose Workflows.",
      "Select the template “Send webhook alerts to a channel”, and choose the team and the channel.",
      "Save it, copy the URL of the workflow and paste it below.",
    ],
    urlLabel: "Workflow URL",
    example: "https://prod-1.westeurope.logic.azure.com/workflows/abc",
  },
  telegram: {
    label: "Telegram",
    icon: Send,
    text: "Sends messages from your bot to a chat.",
    steps: [
      "Write /newbot to @BotFather and copy the bot’s token.",
      "Add the bot to the group or channel that gets the messages, and write something there.",
      "Open https://api.telegram.org/bot<token>/getUpdates and find the id of the chat.",
      "Put both into the address below: https://api.telegram.org/bot<token>/sendMessage?chat_id=<id>",
    ],
    urlLabel: "Address of sendMessage",
    example: "https://api.telegram.org/bot123:abc/sendMessage?chat_id=-100123",
  },
  ntfy: {
    label: "ntfy",
    icon: Smartphone,
    text: "Sends push notifications to phones that subscribe to a topic.",
    steps: [
      "Choose a topic with a name that nobody can guess, on ntfy.sh or your own server.",
      "Subscribe to it in the ntfy app.",
      "Paste the address of the topic below. If it requires an access token, append ?auth= and the Base64 form of Bearer, a space and the token.",
    ],
    urlLabel: "Address of the topic",
    example: "https://ntfy.sh/shop-alerts-7f3k9",
  },
};

export const FORMATS = Object.keys(WEBHOOK_SERVICES) as WebhookFormat[];

/** Whether the format is one of those that people read; its address is a secret, and its requests are not signed. */
export const isChat = (format: WebhookFormat): boolean => format !== "signalbox";

const GIT_TEXT = "Links commits and requests to issues and errors, and closes them when they are merged.";

/** Where the code is. Each sends its events to an address of this server. */
export const GIT_SERVICES: Record<GitHost, Service> = {
  github: { label: "GitHub", icon: FolderGit2, text: GIT_TEXT },
  gitlab: { label: "GitLab", icon: GitFork, text: GIT_TEXT },
  gitea: { label: "Gitea or Forgejo", icon: GitBranch, text: GIT_TEXT },
};

export const GIT_HOSTS = Object.keys(GIT_SERVICES) as GitHost[];

export const isWebhookFormat = (kind: string): kind is WebhookFormat => Object.hasOwn(WEBHOOK_SERVICES, kind);

export const isGitHost = (kind: string): kind is GitHost => Object.hasOwn(GIT_SERVICES, kind);
