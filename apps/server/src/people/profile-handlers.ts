import type { Params } from "@kalends/spec";
import * as queries from "../accounts/profile-queries.js";
import { lockAccount, accountUpdate } from "../accounts/queries.js";
import { differencesOf } from "../calendars/differences.js";
import { pictureAfter, requirePicture } from "../calendars/picture-fields.js";
import { record } from "../calendars/entry-queries.js";
import type { Profile } from "../db/rows.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import * as serialize from "./serialize.js";

/** The profile of an account (extensions X11.1). */
export const profileHandlers = {
  async accountDetails(_params, { db, accountId }) {
    const row = await db.list(accountId, ({ read }) => queries.findProfile(read, accountId));
    if (row === undefined) throw new ApiError("token_unknown");
    return { account: serialize.account(row) };
  },

  async accountUpdate(params, { db, accountId, now, error }) {
    const { key } = params;
    return db.transaction(async (trx) => {
      const isThere = await lockAccount(trx, accountId);
      const before = isThere ? await queries.findProfile(trx, accountId) : undefined;
      if (before === undefined) throw new ApiError("token_unknown");
      const change = { ...sentFields(params), ...sentPictures(params, before, error) };
      await requirePicture(trx, accountId, params.logo_id, error, "logo");
      await requirePicture(trx, accountId, params.picture_id, error);
      if (Object.keys(change).length > 0) await accountUpdate(trx, accountId, change);
      if (key !== undefined && !(await queries.replaceKey(trx, accountId, key, now)))
        throw error("account_key_taken");
      const after = { ...before, ...change, key: key ?? before.key };
      const changes = differencesOf([...queries.profileNames, "key"], before, after);
      // calendar_id 0 stands for the account itself.
      const entry = { account_id: accountId, calendar_id: 0, event_id: 0, action: "changed", now } as const;
      if (Object.keys(changes).length > 0) record(trx, { ...entry, changes });
      return { account: serialize.account(after) };
    });
  },
} satisfies Partial<Handlers>;

/** Returns the pictures that were sent, with their alternative texts. */
function sentPictures(
  { logo_id, logo_alt, picture_id, picture_alt }: Params<"accountUpdate">,
  before: Profile,
  error: Parameters<typeof pictureAfter>[3],
): Partial<Profile> {
  const [ownLogo, ownPicture] = [
    { id: before.logo_id, alt: before.logo_alt },
    { id: before.picture_id, alt: before.picture_alt },
  ];
  const logo = pictureAfter("logo", { id: logo_id, alt: logo_alt }, ownLogo, error);
  const picture = pictureAfter("picture", { id: picture_id, alt: picture_alt }, ownPicture, error);
  return {
    ...(logo && { logo_id: logo.id, logo_alt: logo.alt }),
    ...(picture && { picture_id: picture.id, picture_alt: picture.alt }),
  };
}

/** Returns the fields that were sent; an empty value clears. */
function sentFields({
  name,
  website,
  imprint_url,
  privacy_url,
  accent,
}: Params<"accountUpdate">): Partial<Profile> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(website === undefined ? {} : { website }),
    ...(imprint_url === undefined ? {} : { imprint_url }),
    ...(privacy_url === undefined ? {} : { privacy_url }),
    ...(accent === undefined ? {} : { accent: accent.toLowerCase() }),
  };
}
