// Tables of pictures (docs/decisions/0024-pictures.md).

/** Files of pictures are in base64, since columns are integers or text. */
export const pictureTables: readonly string[] = [
  // unused_since is null while something refers to it.
  `create table pictures (
    hash text not null primary key, account_id bigint not null references accounts (id),
    bytes bigint not null, width bigint not null, height bigint not null, created_at bigint not null,
    unused_since bigint
  )`,
  `create table picture_files (
    hash text not null references pictures (hash) on delete cascade, name text not null, content text not null,
    primary key (hash, name)
  )`,
];

/** Indexes by which the references to a picture are found. */
export const pictureIndexes: readonly string[] = [
  "create index pictures_unused on pictures (unused_since) where unused_since is not null",
  "create index pictures_of_account on pictures (account_id)",
  "create index events_by_picture on events (picture_id) where picture_id <> ''",
  "create index calendars_by_picture on calendars (picture_id) where picture_id <> ''",
  "create index accounts_by_picture on accounts (picture_id) where picture_id <> ''",
  "create index accounts_by_logo on accounts (logo_id) where logo_id <> ''",
];

/** The picture in the template of a series. Quotes within its texts are escaped, so only the member itself matches. */
const ofTemplate = {
  sqlite: "json_extract(template, '$.picture_id')",
  postgres: `coalesce(substring(template from '"picture_id":"([0-9a-f]*)"'), '')`,
} as const;

/** Indexes of the pictures in templates of series. */
export function seriesPictures(dialect: keyof typeof ofTemplate): readonly string[] {
  const picture = ofTemplate[dialect];
  const tables = ["series", "trashed_series"];
  const indexes = tables.map(
    (table) => `create index ${table}_by_picture on ${table} ((${picture})) where ${picture} <> ''`,
  );
  const parts = tables.map((table) => `select ${picture} as picture_id from ${table} where ${picture} <> ''`);
  return [...indexes, `create view series_pictures as ${parts.join(" union all ")}`];
}
