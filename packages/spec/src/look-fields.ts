import * as z from "zod";
import { rule } from "./failures.js";
import { parameter } from "./fields.js";

// Fields of what people see (extensions X11): links and colours.

const mostOfAddress = 1_000;

const addressRule = rule(
  "not_a_url",
  "must be a URL that begins with https:// and has a host name, without a user name and a password",
);

/** Control characters are written as RE2, Java and Python read them. */
const addressForm = new RegExp(String.raw`^(?:https:\/\/[^\s"<>\\^\x60{|}\x00-\x1F\x7F-\x9F]+)?$`);

/** A link that a page shows to anyone, as a parameter: nothing but https, and never with a password. */
export const webAddress = z
  .string()
  .regex(addressForm, addressRule)
  .max(mostOfAddress, rule("too_long", `must be at most ${mostOfAddress} characters`, mostOfAddress))
  .refine(isWebAddress, addressRule);

function isWebAddress(text: string): boolean {
  if (text === "") return true;
  if (!URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

const exampleAccent = "#b8412c";

/** The accent of a calendar or an account, in every answer. */
export const shownAccent = z.string().meta({
  description: "The colour that was chosen, `#rrggbb`; empty when none was.",
  example: exampleAccent,
});

/** The same as a parameter. */
export const accentParameter = z
  .string()
  .regex(
    /^(?:#[0-9A-Fa-f]{6})?$/,
    rule("malformed", "must be a colour of the form #RRGGBB, six hexadecimal digits"),
  )
  .optional()
  .meta({
    description:
      "The one colour of the pages, `#RRGGBB`. The server picks black or white text on it, and darkens it for text until it has a " +
      "contrast of 4.5. An empty value clears it.",
    example: exampleAccent,
  });

/** Whether the portal shows a calendar; empty means that it does not. */
export const listedParameter = z
  .enum(["", "true", "false"], "must be true or false")
  .optional()
  .meta({
    enum: ["true", "false"],
    description: "Whether the account's portal shows it. Without a value it does not.",
    example: "false",
  });

const pictureId = z.string().regex(/^(?:[0-9a-f]{32})?$/, rule("not_an_id", "must be the id of a picture"));

export const examplePicture = "5d41402abc4b2a76b9719d911017c592";

/** A picture in every answer: its id, and what it shows in words. */
export function shownPicture(what: string): Readonly<Record<"id" | "alt", z.ZodString>> {
  const id = z.string().meta({
    description:
      `Id of ${what}, which is served as \`/p/{id}-320.webp\`, \`-640.webp\` and \`-1280.webp\`, and as \`/p/{id}-1200.jpg\`; ` +
      "empty for none.",
    example: "",
  });
  const alt = z.string().meta({ description: `What ${what} shows; empty without one.`, example: "" });
  return { id, alt };
}

/** The same as parameters. */
export function pictureParameters(what: string): Readonly<Record<"id" | "alt", z.ZodOptional<z.ZodString>>> {
  const id = pictureId.optional().meta({
    description: `Id of ${what}, from \`picturesCreate\`. An empty value clears it.`,
    example: examplePicture,
  });
  const alt = parameter.short.optional().meta({
    description: `What ${what} shows, for people who do not see it. Required beside the id.`,
    example: "The orchestra on the stage of the town hall",
  });
  return { id, alt };
}
