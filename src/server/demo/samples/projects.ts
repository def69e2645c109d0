import type { RuntimeName } from "./all-runtimes.ts";
import { BROWSER_STORY } from "./story-browser.ts";
import { GO_STORY } from "./story-go.ts";
import { JAVA_STORY } from "./story-java.ts";
import { NODE_STORY } from "./story-node.ts";
import { PYTHON_STORY } from "./story-python.ts";
import type { Story } from "./story.ts";

/** The template that a project's data is generated from. */
export type ProjectTemplate = {
  key: string;
  name: string;
  description: string;
  runtimes: RuntimeName[];
  stories: Story[];
  /** Where the source code is. */
  repository: string;
  /** Oldest first. */
  releases: string[];
  hosts: string[];
  labels: [name: string, color: string][];
  epics: [title: string, description: string][];
  /** Phrases that end the titles of issues and reports. */
  screens: string[];
};

const LABELS: [string, string][] = [
  ["bug", "#b3362a"],
  ["performance", "#8a6100"],
  ["accessibility", "#2c6e49"],
  ["design", "#7a4a9e"],
  ["customer request", "#1f5f99"],
  ["tech debt", "#5c6470"],
];

export const PROJECTS: ProjectTemplate[] = [
  {
    key: "SHOP",
    name: "Online store",
    description: "The store where customers buy bikes, parts and clothing.",
    runtimes: ["php", "browser", "node"],
    stories: [NODE_STORY, BROWSER_STORY],
    repository: "https://git.northwind.example/shop",
    releases: ["4.9.0", "4.9.1", "4.10.0", "4.10.1", "4.11.0", "4.11.1", "4.12.0"],
    hosts: ["shop-web-01", "shop-web-02", "shop-web-03", "shop-queue-01"],
    labels: [...LABELS, ["checkout", "#00707a"], ["search", "#a2457a"]],
    epics: [
      [
        "One-page checkout",
        "Address, delivery and payment on a single page, with fewer steps between cart and order.",
      ],
      ["Try before you buy", "Customers can book a test ride at their nearest store from the product page."],
      ["Size finder", "Recommend a frame size based on height and inseam, everywhere we show a bike."],
      ["Faster product page", "Largest Contentful Paint under two seconds on a mid-range phone."],
      ["Gift cards", "Sold online, redeemable online and in every store."],
    ],
    screens: [
      "on the product page",
      "in the cart",
      "at checkout",
      "in the customer account",
      "in the search results",
      "in the order confirmation",
    ],
  },
  {
    key: "RIDE",
    name: "Rider app",
    description: "Routes, ride tracking and service history, for iOS and Android.",
    runtimes: ["kotlin", "browser", "ruby"],
    stories: [],
    repository: "https://git.northwind.example/ride",
    releases: ["2.3.0", "2.4.0", "2.4.1", "2.5.0", "2.5.1", "2.6.0"],
    hosts: ["ride-api-01", "ride-api-02", "ride-sync-01"],
    labels: [...LABELS, ["iOS", "#3f5e8c"], ["Android", "#3a7a2e"]],
    epics: [
      ["Offline rides", "Maps, routes and ride recording work offline and sync later."],
      ["Service history", "Every repair and replaced part of a bike, from the store's records."],
      ["Group rides", "Plan a ride together and share your location until it ends."],
      ["Battery range", "Show the remaining charge and whether it is enough for the planned route."],
    ],
    screens: [
      "on the map",
      "while recording",
      "in the service history",
      "in the ride list",
      "on the home screen",
      "in settings",
    ],
  },
  {
    key: "DEPOT",
    name: "Warehouse and workshop",
    description: "Inventory, purchasing and the workshops' schedules.",
    runtimes: ["python", "go", "java", "dotnet", "rust"],
    stories: [PYTHON_STORY, GO_STORY, JAVA_STORY],
    repository: "https://git.northwind.example/depot",
    releases: ["2026.36", "2026.38", "2026.40", "2026.42", "2026.44", "2026.46"],
    hosts: ["depot-app-01", "depot-app-02", "depot-jobs-01", "depot-jobs-02", "depot-scan-01"],
    labels: [...LABELS, ["scanner", "#6b5b00"], ["suppliers", "#8c3f5e"]],
    epics: [
      ["Cycle counts", "Count shelves while orders are being picked, and book the differences at the end."],
      ["Workshop calendar", "Schedule mechanics, repair stands and parts in one calendar."],
      ["Electronic delivery notes", "Receive delivery notes from suppliers by EDI instead of on paper."],
      ["One-scan returns", "Record what was returned, its condition and where it goes next."],
    ],
    screens: [
      "on the scanner",
      "in the inventory list",
      "on the delivery note",
      "in the workshop calendar",
      "in the purchase order",
      "in the nightly export",
    ],
  },
];
