import { slugOf } from './slug.ts'

/** Turns links of the single HTML file into links between Markdown files in one folder. */
export const toFileLinks = (markdown: string): string =>
  markdown
    .replaceAll(/\(#operation\/(\w+)\)/g, (_whole, id: string) => `(${slugOf(id)}.md)`)
    .replaceAll(/\(#tag\/([\w-]+)\)/g, '($1.md)')
