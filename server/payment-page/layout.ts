import { html } from 'ghtml'
import { ICON_LINK } from '../http/icon.ts'
import { languageSwitch } from './language-switch.ts'
import { LIVE_SCRIPT_PATH } from './live-script.ts'
import type { Speech } from './speech.ts'
import { pagePolicy } from './security-headers.ts'
import { STYLE } from './style.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here. A literal text must therefore never end in an
// exclamation mark.

export interface Layout {
  readonly speech: Speech
  /** Comes after the style of all pages. */
  readonly brandStyle?: string
  /** Where the page is in another language; absent: at its own address. */
  readonly path?: string
  readonly title: string
  readonly content: string
  /** In the head: where the page updates on its own. */
  readonly refresh?: string
  /** Absent: the page has nothing that changes, and no script. */
  readonly live?: {
    readonly page: string
    readonly state: string
    /** The next move is not the customer's: ask often. */
    readonly waits: boolean
  }
}

/** A page, and what a browser may do for it: nothing that it does not need. */
export interface Made {
  readonly html: string
  readonly policy: string
}

/** The frame of every page. */
export function layout(page: Layout): Made {
  const style = STYLE + (page.brandStyle ?? '')
  return {
    html: markup(page, style),
    policy: pagePolicy({ style, hasScript: page.live !== undefined }),
  }
}

const markup = (
  { speech, path = '', title, content, refresh, live }: Layout,
  style: string,
): string => html`<!doctype html>
<html lang="${speech.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
!${refresh ?? ''}
<title>${title}</title>
!${ICON_LINK}
<style>!${style}</style>
!${live ? html`<script src="!${LIVE_SCRIPT_PATH}" defer></script>` : ''}
</head>
<body !${live ? html`data-page="${live.page}" data-state="${live.state}" data-says="${liveTexts(speech)}" !${live.waits ? 'data-waits="true"' : ''}` : ''}>!${languageSwitch(speech, path)}!${content}
</body>
</html>
`

/** What the script says, in the language of the page. */
const liveTexts = ({ text }: Speech): string =>
  JSON.stringify({
    answer: text('liveAnswer'),
    still: text('liveStill'),
    offline: text('liveOffline'),
    sending: text('liveSending'),
    // The script fills these in, for its own names.
    againIn: text('liveAgainIn'),
  })
