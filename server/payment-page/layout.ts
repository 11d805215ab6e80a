import { html } from 'ghtml'
import { LIVE_SCRIPT_PATH } from './live-script.ts'
import { STYLE } from './style.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here. A literal text must therefore never end in an
// exclamation mark.

export interface Layout {
  readonly title: string
  readonly content: string
  /** In the head: where the page goes on by itself. */
  readonly refresh?: string
  /** Absent: the page has nothing that changes, and no script. */
  readonly live?: {
    readonly page: string
    readonly state: string
    /** The next move is not the customer's: ask often. */
    readonly waits: boolean
  }
}

/** The frame of every page. */
export const layout = ({ title, content, refresh, live }: Layout): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
!${refresh ?? ''}
<title>${title}</title>
<style>!${STYLE}</style>
!${live ? html`<script src="!${LIVE_SCRIPT_PATH}" defer></script>` : ''}
</head>
<body !${live ? html`data-page="${live.page}" data-state="${live.state}" !${live.waits ? 'data-waits="true"' : ''}` : ''}>!${content}
</body>
</html>
`

export interface Problem {
  readonly title: string
  readonly text: string
  readonly link?: { readonly href: string; readonly text: string }
}

/** A page that shows no payment: unknown, not ours, or just now out of reach. */
export const problemPage = ({ title, text, link }: Problem): string =>
  layout({
    title: `${title} · Malipo`,
    content: html`
<div class="column"><main class="card">
  <h1>${title}</h1>
  <p>${text}</p>
  !${link ? html`<p><a class="button primary" href="${link.href}">${link.text}</a></p>` : ''}
</main></div>`,
  })
