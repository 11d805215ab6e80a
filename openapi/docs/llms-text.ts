import type { OpenApiDocument } from '../reading/document.ts'
import type { MarkdownPage } from './pages.ts'

/** Writes `llms.txt` (https://llmstxt.org): one line per page. */
export function llmsText({ info = {} }: OpenApiDocument, pages: readonly MarkdownPage[]): string {
  const groups = Map.groupBy(pages, ({ group }) => group)
  const parts = [...groups].map(
    ([group, members]) =>
      `## ${group}\n\n${members.map(({ slug, title, about }) => `- [${title}](/docs/${slug}.md): ${about}`).join('\n')}`,
  )
  const operators = [...operatorPagesIn(pages)].map(
    ([path, title]) => `- [${title}](${path}): what this operator's API takes and answers, for people (HTML).`,
  )
  return `${[
    `# ${info.title}`,
    `> ${info.summary}`,
    'All requests and replies are JSON. Every page below is Markdown. The machine-readable contract (OpenAPI 3.1) is at [/openapi.json](/openapi.json), the same docs for people at /docs.',
    ...parts,
    ...(operators.length > 0 ? [`## Operators' APIs\n\n${operators.join('\n')}`] : []),
  ].join('\n\n')}\n`
}

/** Pages of operators that our own pages link to, with the text of the link. */
const operatorPagesIn = (pages: readonly MarkdownPage[]): ReadonlyMap<string, string> =>
  new Map(
    pages.flatMap(({ markdown }) =>
      [...markdown.matchAll(/\[([^\]]+)\]\(http:\/\/127\.0\.0\.1:8080(\/docs\/operators\/[a-z-]+)\)/g)].map(
        ([, title = '', path = '']): [string, string] => [path, title],
      ),
    ),
  )
