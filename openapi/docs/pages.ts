import { operationsOf, requestsToMerchants, type Contract } from './contract.ts'
import { toFileLinks } from './markdown-links.ts'
import { operationPage } from './operation-page.ts'
import { slugOf } from './slug.ts'

/** A page of the docs as a Markdown file. */
export interface MarkdownPage {
  /** Name of the file without `.md`. */
  readonly slug: string
  readonly title: string
  /** Under which title `llms.txt` lists it. */
  readonly group: string
  /** One line: what the page is for. */
  readonly about: string
  readonly markdown: string
}

/** Every page of the docs as Markdown: the texts, then one page per operation and per request to merchants. */
export function markdownPages(contract: Contract): MarkdownPage[] {
  const { info, tags, 'x-tagGroups': groups } = contract
  const overview = { slug: 'overview', title: info.title, group: 'Start', text: info.description }
  const texts = groups.flatMap(({ name: group, tags: names }) =>
    names.flatMap((name) => {
      const tag = tags.find((each) => each.name === name)
      return tag?.['x-traitTag'] === true
        ? [{ slug: tag.name, title: tag['x-displayName'], group, text: tag.description }]
        : []
    }),
  )
  const operations = [
    ...operationsOf(contract).map((placed) => ({ placed, group: 'Operations' })),
    ...requestsToMerchants(contract).map((placed) => ({ placed, group: 'Requests to you' })),
  ]
  return [
    ...[overview, ...texts].map(({ slug, title, group, text }) => ({
      slug,
      title,
      group,
      about: firstSentence(text),
      markdown: toFileLinks(`# ${title}\n\n${text.trim()}\n`),
    })),
    ...operations.map(({ placed, group }) => ({
      slug: slugOf(placed.operation.operationId),
      title: placed.operation.summary,
      group,
      about: `${placed.path === undefined ? '' : `\`${placed.method} ${placed.path}\`. `}${firstSentence(placed.operation.description)}`,
      markdown: toFileLinks(operationPage(contract, placed)),
    })),
  ]
}

/** The first sentence of the first paragraph, on one line and without links. */
function firstSentence(text: string): string {
  const [paragraph = ''] = text.trim().split(/\n\s*\n/)
  const plain = paragraph.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return (/^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.')
}

/** `llms.txt` (https://llmstxt.org): what there is, one line per page. */
export function llmsText({ info }: Contract, pages: readonly MarkdownPage[]): string {
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
