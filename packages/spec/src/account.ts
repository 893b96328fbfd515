import * as z from "zod";
import { access } from "./access.js";
import { accentColors } from "./accent.js";
import { rule } from "./failures.js";
import { ids, instant, parameter } from "./fields.js";
import { accentParameter, pictureParameters, shownAccent, shownPicture, webAddress } from "./look-fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable } from "./operation.js";

const [exampleAccent, exampleKey] = ["#b8412c", "bergholz"];

const link = (what: string, example: string) =>
  z.string().meta({ description: `${what}; empty when not set.`, example });

const color = (description: string, example: string) => z.string().meta({ description, example });

function colors(scheme: "light" | "dark") {
  const { accent, on_accent, accent_ink, accent_wash } = accentColors(exampleAccent)[scheme];
  return z
    .object({
      accent: color("The accent: of buttons and large areas.", accent),
      on_accent: color("Text on it: black or white.", on_accent),
      accent_ink: color("Text in the colour of the accent, with a contrast of 4.5 or more.", accent_ink),
      accent_wash: color("A tint of the accent, for surfaces.", accent_wash),
    })
    .meta({ id: `AccentColors${scheme === "light" ? "Light" : "Dark"}`, description: `On ${scheme} pages.` });
}

const pictureOf = (what: string) => ({ shown: shownPicture(what), sent: pictureParameters(what) });
const [logo, cover] = [pictureOf("the logo"), pictureOf("the cover")];

const account = z
  .object({
    id: ids.calendar.meta({ description: "Id of the account: digits, as a string.", example: "1" }),
    name: z.string().meta({ description: "Name of the account.", example: "Musikverein Bergholz" }),
    key: z.string().meta({
      description: "The key in the address of its pages, `/o/{key}`; empty when not set.",
      example: exampleKey,
    }),
    website: link("Its website", "https://musikverein.example"),
    imprint_url: link("Its imprint, to which every page links", "https://musikverein.example/imprint"),
    privacy_url: link("Its privacy policy, to which every page links", "https://musikverein.example/privacy"),
    logo_id: logo.shown.id,
    logo_alt: logo.shown.alt,
    picture_id: cover.shown.id,
    picture_alt: cover.shown.alt,
    accent: shownAccent,
    colors: z
      .object({ light: colors("light"), dark: colors("dark") })
      .meta({ id: "AccentColors", description: "What pages draw with: calculated from the accent." }),
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
  })
  .meta({
    id: "AccountDetails",
    description: "What the pages of an account look like, and who is behind them.",
  });

const payload = z.object({ account });

const address = (what: string, example: string) =>
  webAddress
    .optional()
    .meta({ description: `${what}: an \`https\` URL. An empty value clears it.`, example });

const updateParams = z.object({
  name: parameter.title.optional().meta({
    description: "Name of the account, which every page shows. It cannot be cleared.",
    example: "Musikverein Bergholz",
  }),
  key: z
    .string()
    .regex(
      /^(?:[a-z0-9-]{3,40})?$/,
      rule("malformed", "must be 3 to 40 small letters a to z, digits and hyphens"),
    )
    .optional()
    .meta({
      description:
        "The key in the address of its pages: 3 to 40 of `a` to `z`, `0` to `9` and `-`. The one before redirects to it for a year. An " +
        "empty value clears it.",
      example: exampleKey,
    }),
  website: address("Its website", "https://musikverein.example"),
  imprint_url: address("Its imprint", "https://musikverein.example/imprint"),
  privacy_url: address("Its privacy policy", "https://musikverein.example/privacy"),
  accent: accentParameter,
  logo_id: logo.sent.id,
  logo_alt: logo.sent.alt,
  picture_id: cover.sent.id,
  picture_alt: cover.sent.alt,
});

const shared = { tag: "Account", section: "account" } as const;

export const accountOperations = {
  accountDetails: operation({
    ...extensionRead,
    ...shared,
    access: access.anyone,
    path: "/api/kalends/v1/account/details/",
    summary: "Get the account",
    returns: "The account.",
    description: "Returns what the pages of the account look like, and who is behind them.",
    params: z.object({}),
    payload,
    errors: [],
  }),
  accountUpdate: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/account/update/",
    summary: "Change the account",
    returns: "The changed account.",
    description: "Changes the fields of the account that are sent, and no others; an empty value clears.",
    params: updateParams,
    clearable: Object.keys(updateParams.shape),
    partial: true,
    payload,
    errors: ["account_key_taken"],
    example: { sends: ["accent", "website"], mistake: { accent: "red" } },
  }),
} satisfies OperationTable;
