import { html } from 'ghtml'
import { STYLE } from './style.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here. A literal text must therefore never end in an
// exclamation mark.

interface Page {
  readonly title: string
  readonly content: string
  /** The page updates on its own, by a script or else by reloading. */
  readonly isLive?: boolean
}

/** The frame of every page. */
export const layout = ({ title, content, isLive = false }: Page): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>!${STYLE}</style>
!${isLive ? html`<script src="/phone/live.js" defer></script>` : ''}
</head>
<body>
<nav aria-label="Simulator"><a href="/">Simulator</a> <a href="/phone">Phones</a> <a href="/simulator/orders">Orders</a>
<a href="/simulator/exchanges">Exchanges</a></nav>
<main>
!${content}
!${isLive ? html`<noscript><p><a href="">Reload</a></p></noscript>` : ''}
</main>
</body>
</html>`

/** Sent with every page: it loads nothing from elsewhere, and sends no form elsewhere. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** `14:03:07`, in UTC like all of the operator's times. */
export const timeText = (at: Date): string => `${at.toISOString().slice(11, 19)} UTC`
