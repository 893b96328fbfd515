import * as z from "zod";
import { access } from "./access.js";
import { rule } from "./failures.js";
import { count } from "./fields.js";
import { mostPictureBytes } from "./limits.js";
import { examplePicture } from "./look-fields.js";
import { extensionWrite, operation, type OperationTable } from "./operation.js";

/** A GIF of one pixel. */
const examplePixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** The beginnings of the files that are taken. A decoder never sees anything else, such as an SVG, which may name other files. */
const beginnings: readonly RegExp[] = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF[^]{4}WEBP/,
  /^[^]{4}ftyp(?:avif|avis|mif1)/,
];

/** Whether the base64 of a file begins as that of a picture does. */
function isPicture(base64: string): boolean {
  const head = base64.slice(0, 32);
  if (!/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(head)) return false;
  return beginnings.some((form) => form.test(atob(head)));
}

const picture = z
  .object({
    id: z.string().meta({
      description:
        "Id of the picture, to be sent as `picture_id` or `logo_id`. It is served as `/p/{id}-320.webp`, `-640.webp` and `-1280.webp`, and as " +
        "`/p/{id}-1200.jpg` of 1,200 × 630 pixels for link previews.",
      example: examplePicture,
    }),
    width: count.meta({ description: "Width of what was sent, upright, in pixels.", example: 1 }),
    height: count.meta({ description: "Height of what was sent, upright, in pixels.", example: 1 }),
  })
  .meta({ id: "Picture", description: "A picture that was stored." });

export const pictureOperations = {
  picturesCreate: operation({
    ...extensionWrite,
    tag: "Account",
    section: "pictures",
    access: access.editorOfAny,
    path: "/api/kalends/v1/pictures/create/",
    summary: "Store a picture",
    returns: "The picture, to which nothing refers yet.",
    description:
      "Stores a picture for events, calendars and the account: JPEG, PNG, WebP, AVIF or GIF of up to 8 MB and 50 megapixels. What is served of it is " +
      "re-encoded, without its metadata. It is gone a day after the last that referred to it.",
    params: z.object({
      picture: z
        .string()
        .refine(isPicture, rule("not_allowed", "must be a JPEG, PNG, WebP, AVIF or GIF"))
        .meta({
          description:
            "The picture. Send it as the body, or as one part of a `multipart/form-data` form; in JSON, in base64 up to 1 MiB.",
          example: examplePixel,
        }),
    }),
    file: {
      parameter: "picture",
      mediaType: "image/jpeg",
      otherTypes: ["image/png", "image/webp", "image/avif", "image/gif"],
      bytes: mostPictureBytes,
      isBinary: true,
    },
    payload: z.object({ picture }),
    errors: ["picture_invalid"],
    example: { mistake: { picture: "SGVsbG8=" } },
  }),
} satisfies OperationTable;
