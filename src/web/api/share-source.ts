import { openSource, type ConnectTo, type Signal, type Source } from "./live-source.ts";

/*
 * Over HTTP/1.1 a browser opens six connections to a host, for all tabs together. So one tab, the leader, holds the
 * stream, and sends its signals to the others through a BroadcastChannel, which also exists without HTTPS. Each tab
 * listens only to tabs of the same user.
 */

const CHANNEL = "signalbox live";

/** How long a new tab waits for a leader to answer. */
const JOIN_MS = 100;

/**
 * How often a tab checks the leader, on average, and after how many checks without a sign of it the tab takes over. It
 * takes over within 1.8 seconds, unless it is hidden and the browser slows down its timers.
 */
const CHECK_MS = 350;
const MAX_UNANSWERED = 3;

/** After the leader has left, each tab waits for a random time, so that only one takes over. Hidden tabs wait longer. */
const SUCCESSION_MS = 100;

type Content =
  /** `age` in seconds: a new tab asks for changes since its page began to load. */
  | { type: "ask"; age?: number }
  | { type: "leave" }
  | { type: "retry" }
  /** Of two leaders, the one with the higher term stays, or the one with the lower id. `status` is the latest. */
  | {
      type: "lead";
      term: number;
      status: Signal | undefined;
      position: string | undefined;
      recent?: string[];
    }
  | { type: "signal"; signal: Signal; position: string | undefined };
type Message = { user: number; from: number } & Content;

type Channel = {
  addEventListener: (type: "message", listener: (event: MessageEvent) => void) => void;
  postMessage: (data: unknown) => void;
  close: () => void;
};

/** What the browser provides. Tests provide their own. */
export type Browser = {
  connectTo?: ConnectTo;
  join?: (name: string) => Channel;
  /** The window. */
  page?: EventTarget;
  /** How many seconds ago the page began to load. */
  age?: () => number;
};

/** The data of changes is kept for new tabs for this time, and no more of it than this. */
const RECENT_SECONDS = 60;
const MAX_RECENT = 1_000;

/**
 * The user's stream, shared by all tabs of the browser. A tab in the back/forward cache or frozen by the browser does not
 * take part. When it is back, it receives the changes it missed, or a reset.
 */
export function shareSource(
  userId: number,
  onSignal: (signal: Signal) => void,
  { connectTo, join = (name) => new BroadcastChannel(name), page = window, age = ageOfPage }: Browser = {},
): Source {
  const me = Math.random();
  let channel: Channel | undefined;
  let source: Source | undefined;
  let term = 0;
  let position: string | undefined;
  let status: Signal | undefined;
  /** The tab was away. A leader's stream continues after `position`; a follower has to load everything. */
  let wasAway = false;
  /** The tab has not received what happened since its page began to load. */
  let isNew = true;
  let recent: { at: number; data: string }[] = [];
  let unanswered = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const otherUsers = new Set<number>();

  const post = (content: Content) =>
    channel?.postMessage({ user: userId, from: me, ...content } satisfies Message);
  const postLead = (asked?: number) => {
    const since = asked === undefined ? undefined : Date.now() - asked * 1_000;
    const found =
      since === undefined ? {} : { recent: recent.flatMap(({ at, data }) => (at >= since ? data : [])) };
    post({ type: "lead", term, status, position, ...found });
  };

  const receive = (signal: Signal) => {
    if (signal.type === "open" || signal.type === "lost") status = signal;
    if (signal.type === "change") {
      const oldest = Date.now() - RECENT_SECONDS * 1_000;
      recent = [...recent.filter(({ at }) => at >= oldest), { at: Date.now(), data: signal.data }].slice(
        -MAX_RECENT,
      );
    }
    onSignal(signal);
  };
  const wait = (ms: number, next: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
  };
  // The random part keeps tabs from checking at the same time, and from taking over at the same time.
  const checkSoon = () => wait(CHECK_MS * (0.75 + Math.random() / 2), check);
  const ask = () => post({ type: "ask", ...(isNew ? { age: age() } : {}) });
  const check = () => {
    if (unanswered >= MAX_UNANSWERED) return lead();
    // Answers to other tabs count as well, so that many tabs do not ask more often than one.
    if (unanswered++ > 0) ask();
    checkSoon();
  };
  const follow = () => {
    unanswered = 0;
    source?.close();
    source = undefined;
    checkSoon();
  };
  const lead = () => {
    clearTimeout(timer);
    term++;
    wasAway &&= position === undefined;
    const forward = (signal: Signal, at: string | undefined) => {
      position = at;
      post({ type: "signal", signal, position });
      receive(signal);
      // Until then, this tab may have to follow another, and would miss what its own stream has not brought yet.
      if (signal.type !== "open" && signal.type !== "lost") isNew = false;
      if (signal.type !== "open" || !wasAway) return;
      wasAway = false;
      onSignal({ type: "reset" });
    };
    const since = isNew ? `&recent=${age()}` : "";
    source = openSource(`/api/events?user_id=${userId}${since}`, position, forward, connectTo);
    postLead();
  };
  const followLeader = (from: number, next: Extract<Content, { type: "lead" }>) => {
    const isLower = next.term < term || (next.term === term && from > me);
    if (source && isLower) return postLead();
    // A leader without a position has not heard of earlier leaders. Its stream starts now, so changes may be missing.
    const mayMiss = wasAway || (position !== undefined && next.position === undefined);
    wasAway = false;
    const statusBefore = status?.type;
    term = Math.max(term, next.term);
    position = next.position ?? position;
    follow();
    if (next.status && next.status.type !== statusBefore) receive(next.status);
    if (mayMiss) onSignal({ type: "reset" });
    if (!isNew || next.recent === undefined) return;
    isNew = false;
    for (const data of next.recent) receive({ type: "change", data });
  };
  const onMessage = ({ user, from, ...content }: Message) => {
    if (user !== userId) {
      if (!otherUsers.has(user)) onSignal({ type: "account" });
      otherUsers.add(user);
    } else if (content.type === "lead") followLeader(from, content);
    else if (content.type === "ask") {
      if (source) postLead(content.age);
    } else if (content.type === "retry") source?.retry();
    else if (source) return;
    else if (content.type === "leave") wait(successionPause(), lead);
    else {
      unanswered = 0;
      position = content.position ?? position;
      receive(content.signal);
    }
  };

  const enter = () => {
    channel = join(CHANNEL);
    channel.addEventListener("message", ({ data }) => onMessage(data as Message));
    wait(JOIN_MS, lead);
    ask();
  };
  const leave = () => {
    if (source) post({ type: "leave" });
    clearTimeout(timer);
    source?.close();
    source = undefined;
    channel?.close();
    channel = undefined;
  };
  const comeBack = () => {
    // The first `pageshow` event follows the first load.
    if (channel) return;
    wasAway = true;
    enter();
  };

  for (const type of ["pagehide", "freeze"]) page.addEventListener(type, leave);
  for (const type of ["pageshow", "resume"]) page.addEventListener(type, comeBack);
  enter();
  return {
    close: () => {
      for (const type of ["pagehide", "freeze"]) page.removeEventListener(type, leave);
      for (const type of ["pageshow", "resume"]) page.removeEventListener(type, comeBack);
      leave();
    },
    retry: () => (source ? source.retry() : post({ type: "retry" })),
  };
}

const ageOfPage = () => Math.min(RECENT_SECONDS, Math.ceil(performance.now() / 1_000) + 1);

function successionPause(): number {
  const isHidden = typeof document !== "undefined" && document.hidden;
  return SUCCESSION_MS * ((isHidden ? 2 : 0) + Math.random());
}
