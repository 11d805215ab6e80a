import { html } from 'ghtml'
import { consolePage, type ConsolePage } from '../../admin/console/look/page.ts'
import type { Viewer } from '../../admin/console/look/viewer.ts'
import { inboxTexts } from './inbox-texts.ts'
import { LIVE_SCRIPT_PATH } from './live-script.ts'

/** Who looks at a page of the sandbox, and what its frame leads to. Nobody signs in here. */
export interface Frame {
  readonly viewer: Viewer
  /** Path and query of the page. */
  readonly url: string
  /** What the sandbox's clock shows, where it is ahead of real time. */
  readonly sandboxTime: Date | undefined
  /** Where the consoles are that this gateway serves. */
  readonly consoles: { readonly staff: string | undefined; readonly merchants: string | undefined }
}

interface SandboxPage extends Pick<ConsolePage, 'title' | 'content' | 'back' | 'aside' | 'flash'> {
  /** The inbox version when the page was created, from which the page updates itself. Undefined: a static page. */
  readonly version?: string
}

/** A page of the sandbox, in the frame of the console. */
export function sandboxPage({ viewer, url, sandboxTime, consoles }: Frame, { version, ...page }: SandboxPage) {
  const say = inboxTexts(viewer)
  const link = (href: string | undefined, text: string, current = ''): string =>
    href === undefined ? '' : html`<li><a href="${href}" !${current}>${text}</a></li>`
  const texts = { live: say('live'), one: say('oneNew'), some: say('someNew'), gone: say('gone') }
  return consolePage({
    viewer,
    url,
    isSandbox: true,
    sandboxTime,
    navigation: html`<ul>!${link('/sandbox/inbox', say('inbox'), 'aria-current="page"')}!${link(consoles.staff, say('staffConsole'))}!${link(
      consoles.merchants,
      say('merchantsConsole'),
    )}!${link('/docs', say('docs'))}</ul>`,
    ...(version !== undefined && {
      head: html`<script src="!${LIVE_SCRIPT_PATH}" defer></script>`,
      body: html`data-version="${version}" data-says="${JSON.stringify(texts)}"`,
    }),
    ...page,
  })
}

export const backToInbox = ({ viewer }: Frame) => ({ href: '/sandbox/inbox', text: inboxTexts(viewer)('inbox') })

/** For what does not exist, or no longer exists. */
export const missingPage = (frame: Frame, title: string, why: string) =>
  sandboxPage(frame, { title, back: backToInbox(frame), content: html`<p>${why}</p>` })
