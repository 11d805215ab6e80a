import { createHash } from 'node:crypto'
import { html } from 'ghtml'
import { ICON_LINK } from '../../http/icon.ts'
import { STYLE } from './inbox-style.ts'
import { LIVE_SCRIPT_PATH } from './live-script.ts'

/**
 * Nothing from elsewhere, and no framing: only our own style (by its digest), our own script and icon, and forms and
 * requests back to us.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface SandboxPage {
  readonly title: string
  /** Trusted markup. */
  readonly content: string
  /** The inbox version when the page was created, from which the page updates itself. Undefined: a static page. */
  readonly version?: string
}

/** A page of the sandbox, in the common layout. */
export const sandboxPage = ({ title, content, version }: SandboxPage): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Malipo</title>
!${ICON_LINK}
<style>!${STYLE}</style>
!${version === undefined ? '' : html`<script src="!${LIVE_SCRIPT_PATH}" defer></script>`}
</head>
<body!${version === undefined ? '' : html` data-version="${version}"`}>!${content}
</body>
</html>
`

/** For what does not exist, or no longer exists. */
export const missingPage = (title: string, why: string): string =>
  sandboxPage({
    title,
    content: html`
  <header class="top">
    <p class="back"><a href="/sandbox/inbox">← Inbox</a></p>
    <h1>${title}</h1>
  </header>
  <main><p>${why}</p></main>`,
  })
