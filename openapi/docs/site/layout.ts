import { html } from 'ghtml'
import { addressOf } from './markdown.ts'
import type { SitePage } from './page.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** Addresses of the assets that every page loads. */
interface SiteAssets {
  readonly style: string
  readonly theme: string
  readonly script: string
  readonly consoleStyle: string
  readonly consoleScript: string
}

/** The parts of the frame that are the same on every page. */
export interface Site {
  readonly name: string
  readonly version: string
  readonly pages: readonly SitePage[]
  readonly assets: SiteAssets
  /** Markup of the console, with its model. */
  readonly console: string
}

/** A redirect at the former address of a page. Static hosts serve it; the gateway answers with a redirect itself. */
export const redirectPage = (slug: string): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta http-equiv="refresh" content="0; url=${addressOf(slug)}">
<link rel="canonical" href="${addressOf(slug)}">
</head>
<body><p>This page has moved to <a href="${addressOf(slug)}">${addressOf(slug)}</a>.</p></body>
</html>
`

/** A page in its frame: a whole HTML document. */
export function framed(site: Site, page: SitePage): string {
  const { assets } = site
  const groups = groupsOf(site.pages)
  // Previous and next follow the menu, where the changelog, which is generated last, stands with its group.
  const pages = groups.flatMap(([, members]) => members)
  const place = pages.findIndex(({ slug }) => slug === page.slug)
  const isListed = place >= 0
  const isTried = page.triedOperation !== undefined
  const body = isTried ? page.body.replace('<!--console-->', () => site.console) : page.body
  return html`<!doctype html>
<html lang="en" !${isTried ? html`data-operation="${page.triedOperation}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.slug === 'overview' ? `${site.name} docs` : `${page.title} · ${site.name} docs`}</title>
<meta name="description" content="${page.about}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
!${isListed ? html`<link rel="alternate" type="text/markdown" href="/docs/${page.slug}.md" title="This page as Markdown; all pages in /llms.txt">` : ''}
<link rel="stylesheet" href="${assets.style}">!${isTried ? html`<link rel="stylesheet" href="${assets.consoleStyle}">` : ''}
<script src="${assets.theme}"></script>
<script src="${assets.script}" defer></script>!${isTried ? html`<script src="${assets.consoleScript}" defer></script>` : ''}
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top"><a class="brand" href="/docs">${site.name} <span>docs</span></a><span class="tools"><button type="button" id="search-open" hidden><span>Search</span> <kbd aria-hidden="true">/</kbd></button><button type="button" id="reader-values-open" hidden>Your keys</button><button type="button" id="theme" hidden>Dark</button><a class="to-pages" href="#pages">Menu</a></span></header>
<div class="frame">
<main id="content" tabindex="-1">!${body}!${isListed ? neighbours(pages[place - 1], pages[place + 1]) : ''}<footer>!${isListed ? html`<a href="/docs/${page.slug}.md">This page as Markdown</a>` : ''}<a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a><a href="/docs/one-file">All of it in one file, to keep</a><span>contract ${site.version}</span></footer></main>
<nav class="side" id="pages" aria-label="Pages">!${groups.map(([group, members]) => html`<h2>${group}</h2><ul>!${members.map((member) => entry(member, page))}</ul>`)}</nav>
</div>
</body>
</html>
`
}

const groupsOf = (pages: readonly SitePage[]): [string, SitePage[]][] => [...Map.groupBy(pages, ({ group }) => group)]

/** The overview's title is also the title of the site. */
const shortTitle = ({ slug, title }: Pick<SitePage, 'slug' | 'title'>): string =>
  slug === 'overview' ? 'Overview' : title

const entry = ({ slug, title, method }: SitePage, shown: SitePage): string =>
  html`<li><a href="${addressOf(slug)}" !${slug === shown.slug ? 'aria-current="page"' : ''}>!${method === undefined ? '' : html`<span class="method !${method.toLowerCase()}">${method}</span> `}${shortTitle({ slug, title })}</a></li>`

const neighbours = (before: SitePage | undefined, after: SitePage | undefined): string =>
  html`<nav class="neighbours" aria-label="Previous and next">!${before ? html`<a rel="prev" href="${addressOf(before.slug)}"><small>Previous</small> ${shortTitle(before)}</a>` : '<span></span>'}!${after ? html`<a rel="next" href="${addressOf(after.slug)}"><small>Next</small> ${shortTitle(after)}</a>` : ''}</nav>`
