/** The start of an address on the person's own computer, up to its path. */
const LOCAL_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;

/** With a user, so that the host is not what it looks like. */
const WITH_USER = /^[a-z]+:\/\/[^/?]*@/i;

/** Whether codes may be sent to an address: https, or http on the person's own computer. */
export function isRedirectAddress(value: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(value) || /[\\#]/.test(value) || WITH_USER.test(value)) return false;
  if (!URL.canParse(value)) return false;
  return value.startsWith("https://") || isLocalRedirect(value);
}

/** Whether the address is of a program on the person's own computer. */
export const isLocalRedirect = (value: string): boolean => LOCAL_ORIGIN.test(value);

/**
 * Whether a requested address is one of the registered ones, character by character. Programs on the person's own computer listen on
 * any free port, so there the port may differ (RFC 8252).
 */
export function isRegistered(registered: readonly string[], requested: string): boolean {
  if (!isRedirectAddress(requested)) return false;
  return registered.some((address) => withoutLocalPort(address) === withoutLocalPort(requested));
}

const withoutLocalPort = (address: string) => address.replace(LOCAL_ORIGIN, "http://$1");
