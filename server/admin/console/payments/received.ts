import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Check, Checks } from '../../../domain/received/message.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps } from '../console-routes.ts'
import { pageTexts } from '../look/languages.ts'
import { alarm, bodyOf, headersOf, isBelieved, verdicts } from '../look/message.ts'
import { refusalTitle } from '../look/page.ts'
import { badge, button, copyable, emptyState, facts, section, when } from '../look/values.ts'
import type { SayOf, Viewer } from '../look/viewer.ts'

const TEXTS = pageTexts({
  en: {
    title: 'Test receiver',
    lead: 'Open one of your callbacks and choose “Send to the test receiver”: it is signed as if it went out now, and arrives here instead of at your URL. The newest 50 messages are kept for seven days.',
    watch: 'Watch',
    stop: 'Stop watching',
    watching: 'This page loads itself again every five seconds.',
    yourUrl: 'All callbacks here',
    yourUrlText: 'In the sandbox this can be your callback URL: then every callback arrives here.',
    setUrl: 'Set your URLs',
    nothing: 'Nothing has arrived yet',
    nothingText:
      'Messages stand here as they arrived: request line, headers, body, and whether each signature is good.',
    toCallbacks: 'To your callbacks',
    showAll: 'Show all {count}',
    latency: 'Time to the reply',
    answered: 'Answered',
    delivery: 'delivery {count}',
    masked: 'The customer’s number and name are masked here. The signatures were checked over what arrived.',
    handshake: 'Payout handshake',
    callback: 'Callback',
    arrived: 'It arrived at the test receiver.',
    send: 'Send to the test receiver',
  },
  fr: {
    title: 'Récepteur de test',
    lead: 'Ouvrez une de vos notifications et choisissez « Envoyer au récepteur de test » : elle est signée comme si elle partait maintenant, et arrive ici au lieu de votre URL. Les 50 derniers messages sont gardés sept jours.',
    watch: 'Suivre',
    stop: 'Ne plus suivre',
    watching: 'Cette page se recharge toutes les cinq secondes.',
    yourUrl: 'Toutes les notifications ici',
    yourUrlText:
      'Dans le bac à sable, ceci peut être votre URL de notification : alors chaque notification arrive ici.',
    setUrl: 'Régler vos URL',
    nothing: 'Rien n’est encore arrivé',
    nothingText:
      'Les messages sont montrés ici tels qu’ils sont arrivés : ligne de requête, en-têtes, corps, et si chaque signature est bonne.',
    toCallbacks: 'Vers vos notifications',
    showAll: 'Tout montrer ({count})',
    latency: 'Temps jusqu’à la réponse',
    answered: 'Réponse',
    delivery: 'envoi n° {count}',
    masked: 'Le numéro et le nom du client sont masqués ici. Les signatures ont été vérifiées sur ce qui est arrivé.',
    handshake: 'Vérification d’un versement',
    callback: 'Notification',
    arrived: 'Elle est arrivée au récepteur de test.',
    send: 'Envoyer au récepteur de test',
  },
})

type Texts = SayOf<typeof TEXTS>
type Received = AdminData<'testCallback'>

const PATH = '/received'
/** While it is watched. */
const RELOAD_S = 5
/** Who looks, looks for what has just arrived. */
const SHOWN_FIRST = 10

/** The test receiver of a merchant: what arrived, and whether its signatures are good. */
export function serveReceived(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({
    url: PATH,
    at: 'callbacks',
    async handle({ viewer, query, show, actor, may }) {
      const say = viewer.texts(TEXTS)
      const { items } = await show('listReceived')
      const isWatching = query.has('watch')
      const shown = query.has('all') ? items : items.slice(0, SHOWN_FIRST)
      const count = viewer.number(items.length)
      const more = shown.length < items.length ? button({ href: `${PATH}?all=1`, text: say('showAll', { count }) }) : ''
      const { inboxUrl } = deps
      const url = inboxUrl !== undefined && actor.kind === 'merchant' ? `${inboxUrl}?merchant=${actor.merchantId}` : ''
      const setUrl = may('merchant set') ? button({ href: '/settings/urls', text: say('setUrl') }) : ''
      return {
        title: say('title'),
        back: { href: '/callbacks', text: viewer.say('callbacks') },
        aside: button(isWatching ? { href: PATH, text: say('stop') } : { href: `${PATH}?watch=1`, text: say('watch') }),
        // Only for who asked for it; with a script the page reloads itself.
        ...(isWatching && { head: html`<noscript><meta http-equiv="refresh" content="${RELOAD_S}"></noscript>` }),
        content: html`<p>${say('lead')}</p>!${isWatching ? html`<p class="soft" role="status" data-reload-s="${RELOAD_S}">${say('watching')}</p>` : ''}!${
          url && section(say('yourUrl'), html`<p>${say('yourUrlText')}</p><p>!${copyable(viewer, url)}</p>`, setUrl)
        }!${
          items.length === 0
            ? emptyState({
                title: say('nothing'),
                text: say('nothingText'),
                next: { href: '/callbacks', text: say('toCallbacks') },
              })
            : html`<p class="soft">${say('masked')}</p><div class="list">!${shown.map((item) => card(viewer, say, item))}</div>!${more}`
        }`,
      }
    },
  })
  form({
    url: '/callbacks/:callback/test',
    at: 'callbacks',
    needs: 'session',
    async handle({ viewer, change, done, params, reply }) {
      const sent = await change('testCallback', { params: { callback: params['callback'] ?? '' } })
      if (sent.ok === true) return done(PATH, viewer.texts(TEXTS)('arrived'))
      const [status, text] = sent.ok === false ? [sent.status, sent.message] : [403, '']
      reply.code(status)
      return { title: refusalTitle(viewer, status), content: '', flash: { kind: 'failed' as const, text } }
    },
  })
}

/** What the list of callbacks calls it. */
export const receiverName = (viewer: Viewer): string => viewer.texts(TEXTS)('title')

/** The text of the button on the page of a callback. */
export const sendToReceiver = (viewer: Viewer): string => viewer.texts(TEXTS)('send')

function card(viewer: Viewer, say: Texts, received: Received): string {
  const { id, kind, request_line: line, latency_ms: latency, merchant_reference: reference, delivery } = received
  const checks = checksOf(received.checks)
  const content = {
    id,
    kind,
    headers: Object.fromEntries(received.headers.map(({ name, value }) => [name, value])),
    body: Buffer.from(received.body),
    bodyBytes: received.body_bytes,
  }
  return html`<article class="card !${isBelieved(checks) ? '' : 'wrong'}" id="message-${id}">
<h2>${say(kind)} !${delivery > 1 ? badge(say('delivery', { count: String(delivery) }), 'warn') : ''}</h2>
<p class="soft">!${when(viewer, new Date(received.received_at), true)}</p>
!${alarm(viewer, checks)}!${facts([
    { name: say('request'), value: line && html`<code>${line}</code>` },
    { name: say('payment'), value: reference && html`<a class="quiet" href="/payments/${reference}">${reference}</a>` },
    { name: say('answered'), value: html`HTTP ${received.answered}` },
    {
      name: say('latency'),
      value: latency === undefined ? undefined : html`${say('milliseconds', { count: viewer.number(latency) })}`,
    },
  ])}!${verdicts(viewer, checks, true)}
!${headersOf(viewer, content)}!${bodyOf(viewer, content, false)}</article>`
}

function checksOf(listed: Received['checks']): Checks {
  const of = (name: keyof Checks): Check => {
    const check = listed.find(({ signature }) => signature === `${name}-signature`)
    if (!check) return { verdict: 'not_expected' }
    if (!check.good) return { verdict: 'bad', why: check.why ?? '' }
    return { verdict: 'good', ...(check.key !== undefined && { key: check.key }) }
  }
  return { webhook: of('webhook'), hmac: of('hmac'), rsa: of('rsa') }
}
