import type { OpenApiDocument } from '../reading/document.ts'
import { toFileLinks } from './markdown-links.ts'
import { operationPage, withSamples } from './operation-page.ts'
import { operationsInOrder } from './places.ts'
import { slugOf } from './slug.ts'

/** A page of the docs as a Markdown file. */
export interface MarkdownPage {
  /** Name of the file without `.md`. */
  readonly slug: string
  readonly title: string
  /** The group under which `llms.txt` lists it. */
  readonly group: string
  /** One line: the purpose of the page. */
  readonly about: string
  readonly markdown: string
}

/** Every page of the docs as Markdown: the guides, then one page per operation and per request to merchants. */
export function markdownPages(document: OpenApiDocument): MarkdownPage[] {
  const { info: { title = '', description = '' } = {}, tags = [], 'x-tagGroups': groups = [] } = document
  const overview = { slug: 'overview', title, group: 'Start', text: description }
  const operations = operationsInOrder(document)
  const texts = groups.flatMap(({ name: group, tags: names }) =>
    names.flatMap((name) => {
      const tag = tags.find((each) => each.name === name)
      return tag?.['x-traitTag'] === true
        ? [{ slug: tag.name, title: tag['x-displayName'] ?? name, group, text: tag.description ?? '' }]
        : []
    }),
  )
  return [
    ...[overview, ...texts].map(({ slug, title, group, text }) => ({
      slug,
      title,
      group,
      about: firstSentence(text),
      markdown: toFileLinks(`# ${title}\n\n${withSamples(text, operations).trim()}\n`),
    })),
    ...operations.map((operation) => {
      const { kind, id, summary, method, path, description: text } = operation
      const isCalled = kind === 'operation'
      return {
        slug: slugOf(id),
        title: summary,
        group: isCalled ? 'Operations' : 'Requests to you',
        about: `${isCalled ? `\`${method} ${path}\`. ` : ''}${firstSentence(text)}`,
        markdown: toFileLinks(operationPage(document, operation)),
      }
    }),
  ]
}

/** The first sentence of the first paragraph, on one line and without links. */
function firstSentence(text: string): string {
  const [paragraph = ''] = text.trim().split(/\n\s*\n/)
  const plain = paragraph.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return (/^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.')
}
