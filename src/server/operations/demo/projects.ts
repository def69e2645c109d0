import type { RuntimeName } from "./traces.ts";

/** What the demo's three projects are. Everything else is made from this. */
export type DemoProject = {
  key: string;
  name: string;
  description: string;
  runtimes: RuntimeName[];
  /** Oldest first. */
  releases: string[];
  hosts: string[];
  labels: [name: string, color: string][];
  epics: [title: string, description: string][];
  /** What the issues and the reports of the project are about. */
  places: string[];
};

const LABELS: [string, string][] = [
  ["bug", "#b3362a"],
  ["performance", "#8a6100"],
  ["accessibility", "#2c6e49"],
  ["design", "#7a4a9e"],
  ["customer request", "#1f5f99"],
  ["technical debt", "#5c6470"],
];

export const PROJECTS: DemoProject[] = [
  {
    key: "SHOP",
    name: "Web shop",
    description: "Where customers buy bikes, parts and clothing.",
    runtimes: ["php", "browser", "node"],
    releases: ["4.9.0", "4.9.1", "4.10.0", "4.10.1", "4.11.0", "4.11.1", "4.12.0"],
    hosts: ["shop-web-01", "shop-web-02", "shop-web-03", "shop-queue-01"],
    labels: [...LABELS, ["checkout", "#00707a"], ["search", "#a2457a"]],
    epics: [
      [
        "Checkout on one page",
        "Fewer steps between the cart and the order: address, delivery and payment on one page.",
      ],
      [
        "Try before you buy",
        "Customers book a test ride in the shop next to them while they look at a bike.",
      ],
      ["Sizes that fit", "The right frame size from height and inseam, shown wherever a bike is."],
      ["A faster product page", "Largest paint below two seconds on a middling phone."],
      ["Gift cards", "Bought online, redeemed online and in every shop."],
    ],
    places: [
      "on the product page",
      "in the cart",
      "at checkout",
      "in the customer account",
      "in the search",
      "in the order mail",
    ],
  },
  {
    key: "RIDE",
    name: "Rider app",
    description: "Routes, rides and the bike's service book, for iOS and Android.",
    runtimes: ["kotlin", "browser", "ruby"],
    releases: ["2.3.0", "2.4.0", "2.4.1", "2.5.0", "2.5.1", "2.6.0"],
    hosts: ["ride-api-01", "ride-api-02", "ride-sync-01"],
    labels: [...LABELS, ["iOS", "#3f5e8c"], ["Android", "#3a7a2e"]],
    epics: [
      ["Rides without a connection", "Maps, routes and recordings work in the woods and catch up later."],
      ["Service book", "Every repair and every part of a bike, from the shop's own records."],
      ["Group rides", "Plan a ride together, see each other on the map, and stop sharing at the end."],
      ["Battery at a glance", "What the battery has left and how far that goes on this route."],
    ],
    places: [
      "on the map",
      "while recording",
      "in the service book",
      "in the ride list",
      "on the start screen",
      "in the settings",
    ],
  },
  {
    key: "DEPOT",
    name: "Depot and workshop",
    description: "Stock, purchasing and the workshops' calendars.",
    runtimes: ["python", "go", "java", "dotnet", "rust"],
    releases: ["2026.36", "2026.38", "2026.40", "2026.42", "2026.44", "2026.46"],
    hosts: ["depot-app-01", "depot-app-02", "depot-jobs-01", "depot-jobs-02", "depot-scan-01"],
    labels: [...LABELS, ["scanner", "#6b5b00"], ["suppliers", "#8c3f5e"]],
    epics: [
      [
        "Counting without closing",
        "Shelves are counted while orders go out; differences are booked at the end.",
      ],
      ["Workshop calendar", "Mechanics, lifts and parts planned in one calendar."],
      ["Suppliers deliver data", "Delivery notes come in as messages instead of on paper."],
      ["Returns in one scan", "What came back, in which state, and where it goes next."],
    ],
    places: [
      "on the scanner",
      "in the stock list",
      "on the delivery note",
      "in the workshop calendar",
      "in the purchase order",
      "in the nightly export",
    ],
  },
];
