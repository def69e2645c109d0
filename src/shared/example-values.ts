/** Values shared by the examples in the API reference, which all describe one web shop. */

export const AT = "2026-11-20T09:14:07.482913Z";
export const LATER = "2026-11-20T16:40:31.007254Z";
export const FIRST = "2026-11-18T22:03:55.120844+00:00";
export const LAST = "2026-11-20T16:40:31.007254+00:00";

export const ada = {
  user_id: 3,
  username: "ada",
  first_name: "Ada",
  last_name: "Moss",
  profile_picture: null,
};

export const features = { reports: true, error_tracking: true };

export const lin = { first_name: "Lin", last_name: "Osei", username: "lin" };

export const PASSWORD = "correct horse battery";

export const reportText = {
  title: "The cart forgets its coupon",
  description: "The coupon is gone after signing in.",
  author_name: "Kim Berg",
};

export const issueText = {
  title: "Keep the coupon when a customer signs in",
  description: "The guest's cart is replaced by the account's cart.",
};
