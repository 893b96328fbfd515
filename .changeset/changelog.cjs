// Writes the lines of a CHANGELOG.md: the sentences of a changeset as they are, without commits, authors and links.
"use strict";

module.exports = {
  /** @param {{ summary: string }} changeset */
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll("\n", "\n  ")}`,
  // All packages have one version, so that the version of a dependency is no news.
  getDependencyReleaseLine: async () => "",
};
