import { slugOf } from './slug.ts'

/** The links of the one HTML file, as links between Markdown files that lie side by side. */
export const toFileLinks = (markdown: string): string =>
  markdown
    .replaceAll(/\(#operation\/(\w+)\)/g, (_whole, id: string) => `(${slugOf(id)}.md)`)
    .replaceAll(/\(#tag\/([\w-]+)\)/g, '($1.md)')
