import { html } from 'ghtml'
import { ICON_LINK } from '../http/icon.ts'
import { languageSwitch } from './language-switch.ts'
import { LIVE_SCRIPT_PATH } from './live-script.ts'
import type { Translator } from './speech.ts'
import { pagePolicy } from './security-headers.ts'
import { STYLE } from './style.ts'

// ghtml escapes every ${value}; `!${value}` inserts trusted markup. A literal text must therefore never end in an
// exclamation mark.

interface Layout {
  readonly speech: Translator
  /** Follows the style that all pages share. */
  readonly brandStyle?: string
  /** The path for the links to other languages; absent: the page's own address. */
  readonly path?: string
  readonly title: string
  readonly content: string
  /** In the head: a refresh, where the page updates by itself. */
  readonly refresh?: string
  /** Absent: nothing on the page changes, so it has no script. */
  readonly live?: {
    readonly page: string
    readonly state: string
    /** The customer has nothing to do but wait: poll often. */
    readonly waits: boolean
  }
}

/** A page, and its content security policy: it allows only what the page needs. */
export interface RenderedPage {
  readonly html: string
  readonly policy: string
}

/** The frame of every page. */
export function layout(page: Layout): RenderedPage {
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

/** The texts of the script, in the language of the page. */
const liveTexts = ({ text }: Translator): string =>
  JSON.stringify({
    answer: text('liveAnswer'),
    still: text('liveStill'),
    offline: text('liveOffline'),
    sending: text('liveSending'),
    // The script fills in the placeholders, under its own names.
    againIn: text('liveAgainIn'),
  })
