/** Pages that have moved, by their former names. Bookmarks and external links keep working. */
export const FORMER_PAGES: Readonly<Record<string, string>> = {
  'where-the-source-is-silent': 'what-the-description-leaves-open',
}
