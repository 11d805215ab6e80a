import type { OpenApiDocument } from '../../reading/document.ts'
import { consoleMarkup, consoleScript } from '../console-part.ts'
import { KEYS_IN_BROWSERS } from '../console-model.ts'
import { FORMER_PAGES } from '../former-pages.ts'
import type { MarkdownPage } from '../pages.ts'
import { operationsInOrder, placesIn } from '../places.ts'
import { slugOf } from '../slug.ts'
import { asset, assetAddress, browserScript, style, type Asset } from './assets.ts'
import { guidePage } from './guide-page.ts'
import { framed, redirectPage } from './layout.ts'
import { addressOf } from './markdown.ts'
import { operationPages } from './operation-page.ts'
import type { SitePage } from './page.ts'
import { findables } from './search-index.ts'

const REDIRECT = 'customerRedirect'

/** Shown at an address without a page; not listed. */
const NO_SUCH_PAGE: SitePage = {
  slug: 'no-such-page',
  title: 'There is no such page',
  group: '',
  about: 'The docs have no page at this address.',
  headings: [],
  body: '<article class="guide"><h1>There is no such page</h1><div class="text"><p>Perhaps its name was misspelt. The <a href="/docs">overview</a> says where to start, the search finds guides, operations, fields and errors, and the list has all pages.</p></div></article>',
}

/** Every page of the site without its frame. */
export function sitePages(document: OpenApiDocument, pages: readonly MarkdownPage[]): SitePage[] {
  const operations = new Map(operationsInOrder(document).map((operation) => [slugOf(operation.id), operation]))
  const pageOf = operationPages(document)
  return pages.map((page) => {
    const operation = operations.get(page.slug)
    return operation ? pageOf(operation, page) : guidePage(page)
  })
}

/** The site: one page per guide and operation, and their assets, by file name. */
export function siteFiles(document: OpenApiDocument, markdown: readonly MarkdownPage[]): ReadonlyMap<string, string> {
  const pages = sitePages(document, markdown)
  const places = JSON.stringify(formerPlaces(document))
  const texts = asset('search-texts.json', JSON.stringify(findables(pages, markdown)))
  const search = asset('search.js', browserScript('search', { TEXTS_ADDRESS: JSON.stringify(assetAddress(texts)) }))
  const SEARCH_ADDRESS = JSON.stringify(assetAddress(search))
  const made = {
    texts,
    search,
    style: asset('site.css', style('site.css')),
    theme: asset('theme.js', browserScript('theme')),
    script: asset(
      'docs.js',
      browserScript('docs', { FORMER_PLACES: places, SEARCH_ADDRESS, KEYS_TEXT: JSON.stringify(KEYS_IN_BROWSERS) }),
    ),
    consoleStyle: asset('console.css', style('../console/console.css')),
    consoleScript: asset('console.js', consoleScript()),
  }
  const { title = '', version = '' } = document.info ?? {}
  const site = {
    name: title,
    version,
    pages,
    assets: {
      style: assetAddress(made.style),
      theme: assetAddress(made.theme),
      script: assetAddress(made.script),
      consoleStyle: assetAddress(made.consoleStyle),
      consoleScript: assetAddress(made.consoleScript),
    },
    console: consoleMarkup(document),
  }
  return new Map([
    ...pages.map((page): [string, string] => [`${page.slug}.html`, framed(site, page)]),
    ...Object.entries(FORMER_PAGES).map(([former, slug]): [string, string] => [`${former}.html`, redirectPage(slug)]),
    [`assets/${NO_SUCH_PAGE.slug}.html`, framed(site, NO_SUCH_PAGE)],
    ...Object.values(made).map(({ name, content }: Asset): [string, string] => [`assets/${name}`, content]),
  ])
}

/**
 * The new addresses of places in the former single page: `#tag/errors`, `#/errors`, `#operation/sendFunds`,
 * `#/payouts/sendfunds`, `#try/sendFunds`.
 */
function formerPlaces(document: OpenApiDocument): Readonly<Record<string, string>> {
  const guides = new Set((document.tags ?? []).filter((tag) => tag['x-traitTag'] === true).map(({ name }) => name))
  const entriesOf = ([name, place]: [string, string]): [string, string][] => {
    const [kind = '', what = ''] = name.split('/')
    if (kind === 'tag') {
      const slug = FORMER_PAGES[what] ?? what
      return guides.has(slug) ? [name, place, `/${what}`].map((former) => [former, addressOf(slug)]) : []
    }
    const address = addressOf(slugOf(what))
    // A redirect was shown with the collection that it ends.
    return what === REDIRECT
      ? [[name, address]]
      : [
          [name, address],
          [place, address],
          [`try/${what}`, `${address}#try/${what}`],
        ]
  }
  return Object.fromEntries([...placesIn(document)].flatMap(entriesOf))
}
