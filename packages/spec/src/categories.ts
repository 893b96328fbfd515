import * as z from "zod";
import { access } from "./access.js";
import { atMost, rule } from "./failures.js";
import { categoriesParameter, categoryLimits, count, ids } from "./fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable } from "./operation.js";

const category = z
  .object({
    name: z.string().meta({ description: "Its name.", example: "Concerts" }),
    events_count: count.meta({ description: "How many events have it.", example: 2 }),
  })
  .meta({ id: "Category", description: "A category of events of a calendar." });

const name = z
  .string()
  .min(1)
  .refine(...atMost(categoryLimits.characters))
  .refine(
    (text) => text === text.trim() && !/[,\p{Cc}\u2028\u2029]/u.test(text),
    rule(
      "malformed",
      "must be a name without commas, control characters and line breaks, and without spaces at its ends",
    ),
  )
  .meta({ maxLength: categoryLimits.characters });

const changedPayload = z.object({
  category,
  events_changed: count.meta({ description: "How many events were changed.", example: 2 }),
});
const shared = { tag: "Events", section: "categories" } as const;

export const categoryOperations = {
  categoriesList: operation({
    ...extensionRead,
    ...shared,
    access: access.viewer,
    path: "/api/kalends/v1/categories/list/",
    summary: "List the categories of a calendar",
    returns: "The categories of the calendar.",
    description: "Returns the categories that the events of a calendar have, and how many events have each.",
    params: z.object({ calendar_id: ids.calendar }),
    payload: z.object({
      categories: z.array(category).meta({ description: "The categories, sorted by name." }),
    }),
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "abc" } },
  }),
  categoriesRename: operation({
    ...extensionWrite,
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/categories/rename/",
    summary: "Rename a category",
    returns: "The category, and how many events were changed.",
    description:
      "Renames a category in every event of a calendar, in what its series will make and in what followers have picked, all or nothing. To " +
      "join it with one that the calendar has, use `categoriesMerge`.",
    params: z.object({
      calendar_id: ids.calendar,
      category: name.meta({ description: "The category.", example: "Music" }),
      name: name.meta({
        description: "Its new name, which the calendar does not have yet.",
        example: "Concerts",
      }),
    }),
    payload: changedPayload,
    errors: ["calendar_not_found", "category_not_found", "write_too_large"],
    example: { mistake: { name: "Concerts,Children" } },
  }),
  categoriesMerge: operation({
    ...extensionWrite,
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/categories/merge/",
    summary: "Merge categories",
    returns: "The category, and how many events were changed.",
    description:
      "Makes several categories of a calendar one, in every event, in what its series will make and in what followers have picked, all or nothing.",
    params: z.object({
      calendar_id: ids.calendar,
      categories: categoriesParameter.meta({
        type: "array",
        items: { type: "string" },
        description: "The categories. In a form, with commas between them.",
        example: ["Gigs", "Shows"],
      }),
      into: name.meta({
        description: "What they become: one of them, another one, or a new one.",
        example: "Concerts",
      }),
    }),
    structured: { categories: "list" },
    payload: changedPayload,
    errors: ["calendar_not_found", "category_not_found", "write_too_large"],
    example: { mistake: { into: "Concerts,Children" } },
  }),
} satisfies OperationTable;
