import { createHash } from 'node:crypto'

/** Markup that is safe to send. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

type Part = string | number | Html | readonly Html[]
const markup = (part: Part): string =>
  part instanceof Html
    ? part.text
    : typeof part === 'object'
      ? part.map(({ text }) => text).join('')
      : escaped(String(part))

/** Escapes interpolated values, except markup made by `html` itself. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(
    literals.map((literal, index) => literal + (index < parts.length ? markup(parts[index] ?? '') : '')).join(''),
  )

const STYLE = `
:root { color-scheme: light dark; --back: #faf7f2; --card: #fff; --ink: #231c15; --soft: #64574a; --edge: #8a7c6d; --main: #8a3d0c; --on-main: #fff; --bad: #a11a22 }
@media (prefers-color-scheme: dark) { :root { --back: #17130f; --card: #221c16; --ink: #f1ebe4; --soft: #b9ac9e; --edge: #93857a; --main: #f0a878; --on-main: #2b1405; --bad: #ffada8 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 17px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 30rem; margin: 0 auto; padding: 24px 16px 48px }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 8px }
.card { background: var(--card); border-radius: 14px; padding: 20px 16px }
.price { font-size: 1.9rem; font-weight: 700; margin: 4px 0 }
.soft { color: var(--soft); font-size: .9rem }
.fault { color: var(--bad); border-left: 4px solid; padding-left: 10px }
label { display: block; font-weight: 600; margin: 16px 0 4px }
input, select, button { display: block; width: 100%; min-height: 52px; padding: 10px 14px; font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 10px }
button { margin-top: 20px; background: var(--main); border-color: var(--main); color: var(--on-main); font-weight: 700; cursor: pointer }
a { color: var(--main) }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
`

/**
 * No script, nothing external, only our own style. No `form-action`: browsers apply it to the redirect to the payment
 * page too.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

export interface Page {
  readonly title: string
  readonly body: Html
  /** Refreshes automatically: the only way without a script. */
  readonly refreshSeconds?: number
}

export const page = ({ title, body, refreshSeconds }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>`.text
