// The part of the schema that is about news by e-mail (docs/decisions/0026-news-by-mail.md). No table but that of followers has an address.

export const mailTables = (id: string): readonly string[] => [
  // What has changed in a calendar is gathered until closes_at, which is null while nothing has; entry_id is the last entry of
  // the history that was gathered.
  `create table news_windows (
    calendar_id bigint not null primary key, account_id bigint not null, entry_id bigint not null, closes_at bigint
  )`,
  // News and messages. fill_after is the last follower who has a delivery, and null once all have one.
  `create table news (
    id ${id},
    account_id bigint not null, calendar_id bigint not null, created_at bigint not null,
    shown_until bigint not null default 0, receivers bigint not null default 0, sent bigint not null default 0,
    failed bigint not null default 0, fill_after bigint, kind text not null, subject text not null,
    content text not null
  )`,
  // The outbox. Its rows name a follower or a person, whose address is read when it is sent.
  `create table mail_deliveries (
    id ${id},
    account_id bigint not null, calendar_id bigint not null, news_id bigint not null default 0,
    subscriber_id bigint not null default 0, person_id bigint not null default 0, priority bigint not null,
    attempts bigint not null default 0, next_at bigint not null default 0, attempted_at bigint not null default 0,
    created_at bigint not null, kind text not null, state text not null default 'pending',
    error text not null default ''
  )`,
  // Requests to confirm an address, for a day: hashes with the secret of the installation.
  `create table mail_requests (
    id ${id}, address_hash text not null, source_hash text not null, created_at bigint not null
  )`,
];

export const mailIndexes: readonly string[] = [
  "create index news_windows_open on news_windows (closes_at) where closes_at is not null",
  "create index news_of_calendar on news (calendar_id, id)",
  "create index news_of_account on news (account_id, id)",
  "create index news_to_fill on news (id) where fill_after is not null",
  "create index mail_pending on mail_deliveries (priority, account_id, next_at, id) where state = 'pending'",
  "create index mail_sign_in on mail_deliveries (account_id, created_at) where kind = 'sign_in'",
  "create index mail_attempted on mail_deliveries (attempted_at)",
  "create index mail_requests_of_address on mail_requests (address_hash)",
  "create index mail_requests_of_source on mail_requests (source_hash)",
  "create index subscribers_with_news on subscribers (calendar_id, id) where news = 2",
];
