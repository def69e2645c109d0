-- Lowers A to Z and nothing else, whatever the locale of the database, like foldCase in src/shared.
create function fold_case(value text) returns text
  language sql immutable strict parallel safe return lower(value collate "C");

drop index users_username_key, users_email_key;
create unique index users_username_key on users (fold_case(username));
create unique index users_email_key on users (fold_case(email));
