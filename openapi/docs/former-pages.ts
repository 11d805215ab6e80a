/** Pages that have another address now, by the name they had. Bookmarks and links of others keep working. */
export const FORMER_PAGES: Readonly<Record<string, string>> = {
  'where-the-source-is-silent': 'what-the-description-leaves-open',
}
