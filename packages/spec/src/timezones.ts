import { z } from "zod";
import { operation } from "./operation.js";

const timeZone = z
  .object({
    label: z.string().meta({ description: "Time zone name.", example: "America/Los_Angeles" }),
    offset: z
      .string()
      .regex(/^-?[0-9]{2}:[0-9]{2}$/)
      .meta({
        description:
          "Standard-time offset from UTC, `HH:MM`, with `-` in front when west of UTC (rulings R4.5).",
        example: "-08:00",
      }),
  })
  .meta({ id: "TimeZone", description: "An entry of the time zone list (service.md 2.6)." });

export const listTimeZones = operation({
  section: "4.12",
  path: "/api/v1/timezones",
  methods: ["get"],
  tag: "Time zones",
  summary: "List the time zones",
  description:
    "The time zones that can be used, in the order of their names. Takes no parameter and no token; `meta.code` is an " +
    "integer here. Names and aliases of the IANA database that are not listed are accepted too.",
  auth: "none",
  params: z.object({}),
  payload: z.object({ data: z.array(timeZone).meta({ description: "The time zones." }) }),
  errors: [],
  example: {
    request: {},
    payload: {
      data: [
        { label: "Africa/Abidjan", offset: "00:00" },
        { label: "Africa/Accra", offset: "00:00" },
      ],
    },
  },
});
