import { payload } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** Pictures of events, calendars and the account. */
export interface PicturesApi {
  /**
   * Stores a picture: JPEG, PNG, WebP, AVIF or GIF of up to 8 MB and 50 megapixels. Its id goes into `picture_id` or `logo_id`; until then
   * it is kept for a day.
   */
  create(picture: Blob, options?: RequestOptions): Promise<Picture>;
}

/** A picture that was stored. */
export interface Picture extends Shape<Written<"pictures/create/">["picture"]> {}

/** @internal */
export function picturesApi(raw: RawExtensionsClient, send: Send): PicturesApi {
  return {
    // The bytes themselves are the body: base64 in JSON may not be as large. The server looks at these, not at their type.
    create: (picture, options) =>
      payload(
        raw.POST("/api/kalends/v1/pictures/create/", {
          body: { picture: "" },
          fetch: ({ url, signal }) => {
            const headers = { "Content-Type": "image/jpeg" };
            return send(options)(new Request(url, { method: "POST", body: picture, headers, signal }));
          },
        }),
        "picture",
      ),
  };
}
