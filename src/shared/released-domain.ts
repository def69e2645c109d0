/**
 * The domain of placeholders of accounts whose address was confirmed by someone else. No email can be sent to it. In a file of its
 * own, because the web app must not load the validation library for it.
 */
export const RELEASED_DOMAIN = "unconfirmed.invalid";
