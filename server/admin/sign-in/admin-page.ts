import { html } from 'ghtml'
import { ICON_LINK } from '../../http/icon.ts'
import type { RenderedPage } from '../../payment-page/layout.ts'
import { pagePolicy } from '../../payment-page/security-headers.ts'
import { STYLE } from '../../payment-page/style.ts'
import { ADMIN_SCRIPT_PATH } from './admin-script.ts'
import type { Visit } from './visit.ts'

// ghtml escapes every ${value}; `!${value}` inserts trusted markup.

/** What the pages of staff have beyond those of customers. */
const ADMIN_STYLE = `
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 8px 16px; border-bottom: 1px solid var(--line); background: var(--card); }
.bar b { margin-right: auto; }
.bar a { padding: 8px 0; }
.bar button { width: auto; min-height: 44px; padding: 8px 14px; }
.card + .card { margin-top: 16px; }
.rows { margin: 8px 0; padding: 0; list-style: none; }
.rows li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; margin: 0; padding: 12px 0; border-top: 1px solid var(--line); }
.rows button { width: auto; min-height: 44px; padding: 8px 14px; }
.rows small { display: block; color: var(--soft); font-size: .85rem; }
.qr { display: block; width: 220px; max-width: 100%; margin: 12px 0; border-radius: 8px; }
.codes { display: grid; grid-template-columns: repeat(auto-fit, minmax(17em, 1fr)); gap: 4px 16px; padding: 0; list-style: none; font-size: .9rem; }
time { white-space: nowrap; }
.more .second { margin-top: 10px; }
.more > p.soft:last-child { margin-top: 12px; }
form .primary + .second { margin-top: 10px; }
.facts { width: 100%; margin: 12px 0; border-collapse: collapse; }
.facts th { padding: 6px 12px 6px 0; text-align: left; font-weight: 400; color: var(--soft); vertical-align: top; }
.facts td { padding: 6px 0; overflow-wrap: anywhere; }
.secret { overflow-wrap: anywhere; }
.or { display: flex; align-items: center; gap: 12px; margin: 18px 0 14px; color: var(--soft); font-size: .9rem; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
details { margin-top: 14px; }
summary { padding: 8px 0; color: var(--link); cursor: pointer; }
[hidden] { display: none; }
@media (min-width: 640px) { .wide-column { max-width: 720px; } }
@media print { .bar { display: none; } }
`

interface AdminPage {
  readonly title: string
  readonly content: string
  /** Needed where a passkey may be used. */
  readonly script?: boolean
  /** In the head. */
  readonly refresh?: string
}

/** The frame of every page; for who is signed in with a bar on top. */
export function adminPage(visit: Visit, { title, content, script = false, refresh = '' }: AdminPage): RenderedPage {
  const style = STYLE + ADMIN_STYLE
  const { session } = visit
  return {
    policy: pagePolicy({ style, hasScript: script }),
    html: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
!${refresh}
<title>${title} – Malipo</title>
!${ICON_LINK}
<style>!${style}</style>
!${script ? html`<script src="!${ADMIN_SCRIPT_PATH}" defer></script>` : ''}
</head>
<body data-token="${visit.formToken}">!${session ? bar(visit) : ''}
<main class="column !${session ? 'wide-column' : ''}">
!${content}
</main>
</body>
</html>
`,
  }
}

/** A moment, for people and for programs. */
export const time = (at: Date): string =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

const isOfMerchant = ({ session }: Visit): boolean => session !== undefined && session.person.merchant_id !== null

const bar = (visit: Visit): string => html`<header class="bar"><b>Malipo</b>
<a href="/">Home</a>!${isOfMerchant(visit) ? '<a href="/approvals">Approvals</a>' : ''}<a href="/account">Your sign-in</a>
!${form(visit, '/sign-out', '<button>Sign out</button>')}</header>`

/** A form with its token. */
export const form = (visit: Visit, action: string, content: string): string =>
  html`<form method="post" action="${action}"><input type="hidden" name="token" value="${visit.formToken}">!${content}</form>`

/** What was wrong, above a form. */
export const alertOf = (text: string | undefined): string =>
  text === undefined ? '' : html`<p class="alert" role="alert">${text}</p>`

interface PasskeyButton {
  /** For the script: what it does, with which link, and where it leads. */
  readonly data: Readonly<Record<string, string>>
  readonly text: string
  /** Trusted markup around the button. */
  readonly before?: string
  readonly after?: string
}

/** Hidden until the script finds that the browser has passkeys; what went wrong is shown below it. */
export const passkeyButton = ({
  data,
  text,
  before = '',
  after = '',
}: PasskeyButton): string => html`<div hidden data-passkey>
!${before}<button type="button" class="second" !${Object.entries(data)
  .map(([name, value]) => html`data-${name}="${value}"`)
  .join(' ')}>${text}</button>
<p class="alert" role="alert" hidden></p>!${after}</div>`

/** A page with one message and one way on. */
export const messagePage = (
  visit: Visit,
  { title, text, next }: { title: string; text: string; next?: { readonly href: string; readonly text: string } },
): RenderedPage =>
  adminPage(visit, {
    title,
    content: html`<section class="card"><h1>${title}</h1><p>${text}</p>
!${next ? html`<a class="button primary" href="${next.href}">${next.text}</a>` : ''}</section>`,
  })
