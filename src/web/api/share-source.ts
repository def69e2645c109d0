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
  const tab = new Tab(userId, onSignal, { connectTo, join, age });
  const leave = () => tab.leave();
  const comeBack = () => tab.comeBack();
  for (const type of ["pagehide", "freeze"]) page.addEventListener(type, leave);
  for (const type of ["pageshow", "resume"]) page.addEventListener(type, comeBack);
  tab.enter();
  return {
    close: () => {
      for (const type of ["pagehide", "freeze"]) page.removeEventListener(type, leave);
      for (const type of ["pageshow", "resume"]) page.removeEventListener(type, comeBack);
      tab.leave();
    },
    retry: () => tab.retry(),
  };
}

type TabBrowser = Required<Pick<Browser, "join" | "age">> & { connectTo: ConnectTo | undefined };

/** One of the tabs. It leads if it has a `source`, and otherwise follows the leader. */
class Tab {
  readonly #userId: number;
  readonly #onSignal: (signal: Signal) => void;
  readonly #browser: TabBrowser;
  readonly #id = Math.random();
  readonly #otherUsers = new Set<number>();
  #channel: Channel | undefined;
  #source: Source | undefined;
  #term = 0;
  #position: string | undefined;
  #status: Signal | undefined;
  /** The tab was away. A leader's stream continues after `#position`; a follower has to load everything. */
  #wasAway = false;
  /** The tab has not received what happened since its page began to load. */
  #isNew = true;
  #recent: { at: number; data: string }[] = [];
  #unanswered = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: number, onSignal: (signal: Signal) => void, browser: TabBrowser) {
    this.#userId = userId;
    this.#onSignal = onSignal;
    this.#browser = browser;
  }

  enter(): void {
    this.#channel = this.#browser.join(CHANNEL);
    this.#channel.addEventListener("message", ({ data }) => this.#onMessage(data as Message));
    this.#wait(JOIN_MS, () => this.#lead());
    this.#ask();
  }

  leave(): void {
    if (this.#source) this.#post({ type: "leave" });
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
    this.#channel?.close();
    this.#channel = undefined;
  }

  comeBack(): void {
    // The first `pageshow` event follows the first load.
    if (this.#channel) return;
    this.#wasAway = true;
    this.enter();
  }

  retry(): void {
    if (this.#source) this.#source.retry();
    else this.#post({ type: "retry" });
  }

  #onMessage({ user, from, ...content }: Message): void {
    if (user !== this.#userId) {
      if (!this.#otherUsers.has(user)) this.#onSignal({ type: "account" });
      this.#otherUsers.add(user);
    } else if (content.type === "lead") this.#followLeader(from, content);
    else if (content.type === "ask") {
      if (this.#source) this.#postLead(content.age);
    } else if (content.type === "retry") this.#source?.retry();
    else if (this.#source) return;
    else if (content.type === "leave") this.#wait(successionPause(), () => this.#lead());
    else {
      this.#unanswered = 0;
      this.#position = content.position ?? this.#position;
      this.#receive(content.signal);
    }
  }

  #lead(): void {
    clearTimeout(this.#timer);
    this.#term++;
    this.#wasAway &&= this.#position === undefined;
    const since = this.#isNew ? `&recent=${this.#browser.age()}` : "";
    this.#source = openSource(
      `/api/events?user_id=${this.#userId}${since}`,
      this.#position,
      (signal, position) => this.#forward(signal, position),
      this.#browser.connectTo,
    );
    this.#postLead();
  }

  #forward(signal: Signal, position: string | undefined): void {
    this.#position = position;
    this.#post({ type: "signal", signal, position });
    this.#receive(signal);
    // Until then, this tab may have to follow another, and would miss what its own stream has not brought yet.
    if (signal.type !== "open" && signal.type !== "lost") this.#isNew = false;
    if (signal.type !== "open" || !this.#wasAway) return;
    this.#wasAway = false;
    this.#onSignal({ type: "reset" });
  }

  #followLeader(from: number, leader: Extract<Content, { type: "lead" }>): void {
    const isLower = leader.term < this.#term || (leader.term === this.#term && from > this.#id);
    if (this.#source && isLower) return this.#postLead();
    // A leader without a position has not heard of earlier leaders. Its stream starts now, so changes may be missing.
    const mayMiss = this.#wasAway || (this.#position !== undefined && leader.position === undefined);
    this.#wasAway = false;
    const statusBefore = this.#status?.type;
    this.#term = Math.max(this.#term, leader.term);
    this.#position = leader.position ?? this.#position;
    this.#unanswered = 0;
    this.#source?.close();
    this.#source = undefined;
    this.#checkSoon();
    if (leader.status && leader.status.type !== statusBefore) this.#receive(leader.status);
    if (mayMiss) this.#onSignal({ type: "reset" });
    if (!this.#isNew || leader.recent === undefined) return;
    this.#isNew = false;
    for (const data of leader.recent) this.#receive({ type: "change", data });
  }

  #receive(signal: Signal): void {
    if (signal.type === "open" || signal.type === "lost") this.#status = signal;
    if (signal.type === "change") {
      const oldest = Date.now() - RECENT_SECONDS * 1_000;
      const recent = this.#recent.filter(({ at }) => at >= oldest);
      this.#recent = [...recent, { at: Date.now(), data: signal.data }].slice(-MAX_RECENT);
    }
    this.#onSignal(signal);
  }

  // The random part keeps tabs from checking at the same time, and from taking over at the same time.
  #checkSoon(): void {
    this.#wait(CHECK_MS * (0.75 + Math.random() / 2), () => this.#check());
  }

  #check(): void {
    if (this.#unanswered >= MAX_UNANSWERED) return this.#lead();
    // Answers to other tabs count as well, so that many tabs do not ask more often than one.
    if (this.#unanswered++ > 0) this.#ask();
    this.#checkSoon();
  }

  #wait(ms: number, next: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(next, ms);
  }

  #ask(): void {
    this.#post({ type: "ask", ...(this.#isNew ? { age: this.#browser.age() } : {}) });
  }

  /** `asked` in seconds: how old the page of the tab is that asked for recent changes. */
  #postLead(asked?: number): void {
    const since = asked === undefined ? undefined : Date.now() - asked * 1_000;
    const recent = this.#recent.flatMap(({ at, data }) => (since !== undefined && at >= since ? data : []));
    this.#post({
      type: "lead",
      term: this.#term,
      status: this.#status,
      position: this.#position,
      ...(since === undefined ? {} : { recent }),
    });
  }

  #post(content: Content): void {
    this.#channel?.postMessage({ user: this.#userId, from: this.#id, ...content } satisfies Message);
  }
}

const ageOfPage = () => Math.min(RECENT_SECONDS, Math.ceil(performance.now() / 1_000) + 1);

function successionPause(): number {
  const isHidden = typeof document !== "undefined" && document.hidden;
  return SUCCESSION_MS * ((isHidden ? 2 : 0) + Math.random());
}
