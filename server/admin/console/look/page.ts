import { html } from 'ghtml'
import { ICON_LINK } from '../../../http/icon.ts'
import type { RenderedPage } from '../../../payment-page/layout.ts'
import { pagePolicy } from '../../../payment-page/security-headers.ts'
import { SCRIPT_PATH, STYLE_PATH } from './assets.ts'
import { LANGUAGES } from './languages.ts'
import { navigation, type Navigation } from './navigation.ts'
import type { Link } from './values.ts'
import type { Viewer } from './viewer.ts'

// ghtml escapes every ${value}; `!${value}` inserts trusted markup. A literal text must therefore never end in an
// exclamation mark.

/** Who is signed in. */
interface SignedInPerson {
  readonly name: string
  readonly role: string
  /** The merchant's name; absent for staff. */
  readonly merchant?: string | undefined
  /** For the form that signs out. */
  readonly formToken: string
}

/** What came of the form before, shown once. */
export interface Flash {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

export interface ConsolePage {
  readonly viewer: Viewer
  /** Absent: nobody is signed in, and the page has no search. */
  readonly person?: SignedInPerson | undefined
  readonly isSandbox: boolean
  /** Of a sandbox whose clock is ahead of real time: what it shows. */
  readonly sandboxTime?: Date | undefined
  /** Or its markup; absent: none. */
  readonly navigation?: Navigation | string | undefined
  /** More in the head, and attributes of the body, for scripts. Markup. */
  readonly head?: string | undefined
  readonly body?: string | undefined
  /** Path and query by which GET shows this page: the links to other languages keep them. */
  readonly url: string
  readonly title: string
  /** Markup instead of the title as the heading, for instance with a badge. */
  readonly heading?: string | undefined
  /** The page above this one. */
  readonly back?: Link | undefined
  /** Markup beside the heading: buttons. */
  readonly aside?: string | undefined
  /** What the search field holds. */
  readonly searched?: string | undefined
  readonly flash?: Flash | undefined
  /** Markup. */
  readonly content: string
}

const TITLES = { 403: 'notAllowed', 404: 'notFound', 429: 'tooMany', 503: 'notNow' } as const

/** The title of a page that says why something was refused. */
export const refusalTitle = ({ say }: Viewer, status: number): string =>
  say(status in TITLES ? TITLES[status as keyof typeof TITLES] : 'notPossible')

/** The frame of every page of the console; its style and script are files (assets.ts). */
export const consolePage = (page: ConsolePage): RenderedPage => ({
  policy: pagePolicy({ hasStyleFile: true, hasScript: true }),
  html: markup(page),
})

const markup = (page: ConsolePage): string => {
  const { viewer, title, content, flash, back } = page
  const { say } = viewer
  return html`<!doctype html>
<html lang="${viewer.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title} – Malipo</title>
!${ICON_LINK}
<link rel="stylesheet" href="!${STYLE_PATH}">
<script src="!${SCRIPT_PATH}" defer></script>
!${page.head ?? ''}
</head>
<body class="!${page.navigation === undefined ? 'alone' : ''}" !${page.body ?? ''}>
<a class="skip" href="#main">${say('skip')}</a>
!${header(page)}
<main id="main" tabindex="-1">
!${flash ? html`<p class="flash !${flash.kind}" role="!${flash.kind === 'done' ? 'status' : 'alert'}">${flash.text}</p>` : ''}
!${back ? html`<p class="back"><a href="${back.href}">${back.text}</a></p>` : ''}
<div class="heading"><h1>!${page.heading ?? html`${title}`}</h1>!${page.aside ?? ''}</div>
!${content}
</main>
<footer>${say('allTimesIn', { zone: viewer.zone.replaceAll('_', ' ') })}</footer>
</body>
</html>
`
}

interface Clocks {
  readonly clock: { now(): Date }
  readonly realClock?: { now(): Date }
}

/** What the sandbox's clock shows, where it was advanced. */
export const advancedTime = ({ clock, realClock = clock }: Clocks): Date | undefined =>
  clock.now().getTime() - realClock.now().getTime() > 1_000 ? clock.now() : undefined

const MAGNIFIER =
  '<svg aria-hidden="true" viewBox="0 0 20 20" width="20" height="20"><path d="M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zm4.2 9.7L17 17"/></svg>'

const header = (page: ConsolePage): string => {
  const { viewer, isSandbox, sandboxTime } = page
  const { say } = viewer
  const sandbox = sandboxTime ? `${say('sandbox')}: ${viewer.moment(sandboxTime)}` : say('sandbox')
  return html`<header>
<div class="brand"><a href="/">Malipo</a>!${isSandbox ? html`<span class="badge warn">${sandbox}</span>` : ''}</div>
!${page.person ? searchForm(page) : ''}!${page.navigation === undefined ? languageLinks(viewer, page.url) : ''}
</header>
!${
    page.navigation === undefined
      ? ''
      : html`<nav aria-label="${say('mainNavigation')}"><details class="menu"><summary>${say('menu')}</summary>
!${typeof page.navigation === 'string' ? page.navigation : navigation(viewer, page.navigation)}
!${account(page)}
</details></nav>`
  }`
}

const searchForm = ({ viewer: { say }, searched = '' }: ConsolePage): string =>
  html`<form role="search" action="/payments"><input type="search" name="q" value="${searched}" aria-label="${say('search')}" placeholder="${say('searchFor')}" maxlength="100" autocomplete="off"><button><span class="unseen">${say('search')}</span>!${MAGNIFIER}</button></form>`

const account = ({ viewer, person, url }: ConsolePage): string => {
  const { say } = viewer
  if (!person) return html`<div class="account">!${languageLinks(viewer, url)}</div>`
  return html`<div class="account"><p><b>${person.name}</b><span>${[person.role, person.merchant].filter(Boolean).join(', ')}</span></p>
<a href="/account">${say('yourSignIn')}</a>
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${person.formToken}"><button class="link">${say('signOut')}</button></form>
!${languageLinks(viewer, url)}</div>`
}

/** They work without a script; the page that they lead to remembers the choice. */
const languageLinks = ({ language, say }: Viewer, url: string): string =>
  html`<div class="languages" role="group" aria-label="${say('languages')}">!${Object.entries(LANGUAGES)
    .map(([code, { name }]) =>
      code === language
        ? html`<span lang="!${code}" aria-current="true">${name}</span>`
        : html`<a href="${urlIn(url, code)}" lang="!${code}" hreflang="!${code}">${name}</a>`,
    )
    .join('')}</div>`

function urlIn(url: string, language: string): string {
  const [path = '/', query] = url.split('?', 2)
  const values = new URLSearchParams(query)
  values.set('lang', language)
  return `${path}?${values.toString()}`
}
