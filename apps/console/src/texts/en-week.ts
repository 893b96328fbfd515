// What the week and the dragging of events say: a part of the texts of a language.

export type WeekTexts = typeof week;

export const week = {
  week: {
    week: "Week",
    days: "3 days",
    earlier: (days: string) => `Earlier: ${days}`,
    later: (days: string) => `Later: ${days}`,
    clockChange: "Clock change",
    keys: "Arrow keys go from event to event and from day to day, Page Up and Page Down from week to week.",
  },
  drag: {
    hint: "Events can be dragged to another date or time. Their end can be dragged too.",
    move: (title: string) => `Move “${title}”?`,
    end: (title: string) => `Change when “${title}” ends?`,
    was: (when: string) => `Until now: ${when}`,
    followed: (count: number) =>
      count === 1 ? "1 person follows this calendar." : `${count} people follow this calendar.`,
  },
  adding: {
    which: "In which calendar?",
  },
} satisfies Record<string, unknown>;
