import { html } from 'ghtml'
import type { RenderedPage } from '../../payment-page/layout.ts'
import { navigationFor } from '../console/look/navigation.ts'
import { consolePage } from '../console/look/page.ts'
import { button, when, type Link } from '../console/look/values.ts'
import { actorOf } from '../queries/person.ts'
import { ADMIN_SCRIPT_PATH } from './admin-script.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

// ghtml escapes every ${value}; `!${value}` inserts trusted markup.

interface AdminPage {
  readonly title: string
  readonly content: string
  /** Needed where a passkey may be used. */
  readonly script?: boolean
  /** In the head. */
  readonly refresh?: string
}

/** What the frame of a page says about who looks at it. */
export const frameOf = ({ session, isSandbox, url, formToken }: Visit) => ({
  isSandbox,
  url,
  person: session && { ...session.person, merchant: session.merchantName, formToken },
})

/** Every page of the sign-in, in the frame of the console; for who is signed in with its navigation. */
export function adminPage(visit: Visit, { title, content, script = false, refresh = '' }: AdminPage): RenderedPage {
  const { viewer, session, inboxUrl } = visit
  const say = viewer.texts(SIGN_IN_TEXTS)
  const texts = { failed: say('scriptFailed'), none: say('noPasskeyUsed'), has: say('hasPasskey') }
  return consolePage({
    ...frameOf(visit),
    viewer,
    navigation: session && navigationFor(actorOf(session.person, visit.address), undefined, inboxUrl),
    title,
    content: session ? html`<div class="columns">!${content}</div>` : content,
    head: `${refresh}${script ? html`<script src="!${ADMIN_SCRIPT_PATH}" defer></script>` : ''}`,
    body: html`data-token="${visit.formToken}" data-says="${JSON.stringify(texts)}"`,
  })
}

/** A moment, in the zone of who looks. */
export const time = ({ viewer }: Visit, at: Date): string => when(viewer, at)

/** A form with its token. */
export const form = (visit: Visit, action: string, content: string): string =>
  html`<form class="stack" method="post" action="${action}"><input type="hidden" name="token" value="${visit.formToken}">!${content}</form>`

/** A field. @param attributes markup @param below markup */
export const field = (name: string, label: string, attributes: string, below = ''): string =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" !${attributes}>!${below}</div>`

/** What was wrong, above a form. */
export const alertOf = (text: string | undefined): string =>
  text === undefined ? '' : html`<p class="flash failed" role="alert">${text}</p>`

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
}: PasskeyButton): string => html`<div class="stack" hidden data-passkey>
!${before}<button type="button" !${Object.entries(data)
  .map(([name, value]) => html`data-${name}="${value}"`)
  .join(' ')}>${text}</button>
<p class="flash failed" role="alert" hidden></p>!${after}</div>`

/** A page with one message and one way on. */
export const messagePage = (
  visit: Visit,
  { title, text, next }: { title: string; text: string; next?: Link },
): RenderedPage =>
  adminPage(visit, {
    title,
    content: html`<section class="card"><p>${text}</p>!${next ? html`<p>!${button(next, 'primary')}</p>` : ''}</section>`,
  })
