import type { PushKey } from "../../../shared/push.ts";
import { api } from "../../api/client.ts";

/** Also named in `api/service-worker.ts`, which would be one more file to load if this imported it. */
const WORKER = "/service-worker.js";
const KEY = "/api/push-key";
const PATH = "/api/push-subscriptions";

export const isPushPossible = (): boolean =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Whether this browser shows the notifications of this session: a subscription of an earlier one has ended with it. */
export async function isPushOn(): Promise<boolean> {
  const subscription = await currentSubscription();
  if (!subscription || Notification.permission !== "granted") return false;
  const { endpoints } = await api.get<PushKey>(KEY);
  return endpoints.includes(subscription.endpoint);
}

export async function turnPushOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("The browser blocks notifications from this site. Allow them in the browser’s settings.");
  const { public_key: applicationServerKey } = await api.get<PushKey>(KEY);
  const subscription = await subscribe(applicationServerKey);
  try {
    await api.post(PATH, subscription.toJSON());
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** Browsers describe a failure in words of their own, such as "Registration failed - push service error". */
async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  try {
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  } catch {
    throw new Error(
      "The browser could not reach its push service. Check your connection and the browser’s privacy settings, then try again.",
    );
  }
}

export async function turnPushOff(): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  await subscription.unsubscribe();
  await api.delete(PATH, { endpoint: subscription.endpoint });
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}
