import { createHash } from "node:crypto";
import { insertPicture } from "../calendars/picture-queries.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { decoding } from "../http/quota.js";
import { type PictureFiles, PictureRefused, processPicture } from "./pictures.js";

/** Pictures of events, calendars and the account (extensions X11.2). */
export const pictureHandlers = {
  async picturesCreate({ picture }, { db, accountId, now, error }) {
    const decoded = decoding.run(accountId, () => processPicture(picture));
    const { files, width, height } = await decoded.catch((thrown: unknown) => {
      if (!(thrown instanceof PictureRefused)) throw thrown;
      const { message } = thrown;
      throw error("picture_invalid", [{ parameter: "picture", message, code: "refused" }]);
    });
    const hash = hashOf(accountId, files);
    return db.transaction(async (trx) => {
      const row = { account_id: accountId, hash, width, height };
      if (!(await insertPicture(trx, row, files, now))) throw new ApiError("token_unknown");
      return { picture: { id: hash, width, height } };
    });
  },
} satisfies Partial<Handlers>;

/** The account is part of it, so that no one learns from it whether another account has the same picture. */
function hashOf(accountId: number, files: PictureFiles): string {
  const hash = createHash("sha256").update(String(accountId));
  for (const content of Object.values(files)) hash.update(`\n${content}`);
  return hash.digest("hex").slice(0, 32);
}
