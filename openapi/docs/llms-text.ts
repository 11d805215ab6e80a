import type { OpenApiDocument } from '../reading/document.ts'
import type { MarkdownPage } from './pages.ts'

/** `llms.txt` (https://llmstxt.org): what there is, one line per page. */
export function llmsText({ info = {} }: OpenApiDocument, pages: readonly MarkdownPage[]): string {
  const groups = Map.groupBy(pages, ({ group }) => group)
  const parts = [...groups].map(
    ([group, members]) =>
      `## ${group}\n\n${members.map(({ slug, title, about }) => `- [${title}](/docs/${slug}.md): ${about}`).join('\n')}`,
  )
  return `${[
    `# ${info.title}`,
    `> ${info.summary}`,
    'All requests and replies are JSON. Every page below is Markdown. The machine-readable contract (OpenAPI 3.1) is at [/openapi.json](/openapi.json), the same docs for people at /docs.',
    ...parts,
  ].join('\n\n')}\n`
}
