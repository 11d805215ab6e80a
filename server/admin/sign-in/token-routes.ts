import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { nameFault } from '../../domain/readable-text.ts'
import { inTransaction } from '../../storage/pool.ts'
import { addProgramToken, endTokenOf, TOKENS_MAX, tokensOf, type OpenToken } from '../queries/person-tokens.ts'
import { button, section } from '../console/look/values.ts'
import { adminPage, field, form, messagePage, time } from './admin-page.ts'
import { adminRoutes, sendPage, type AdminDeps, type SignedVisit } from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import { newToken } from './tokens.ts'

const DAY_MS = 24 * 3_600_000
/** How long a token may last, in days. */
const LIVES = [1, 7, 30, 90] as const
const NAME_MAX = 60

const tokenRow = (visit: SignedVisit, { digest, name, ...token }: OpenToken): string => {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const used = token.used_at ? html`${say('lastUsed')} !${time(visit, token.used_at)}` : html`${say('notUsed')}`
  const input = html`<input type="hidden" name="digest" value="${digest}"><button>${say('end')}</button>`
  return html`<li><div>${name ?? say('ofCommandLine')}
<small>${say('made')} !${time(visit, token.created_at)}, !${used}, ${say('ends')} !${time(visit, token.expires_at)}</small></div>
!${form(visit, '/tokens/end', input)}</li>`
}

/** The tokens of a person, and a form for another one. */
export function tokensSection(visit: SignedVisit, tokens: readonly OpenToken[]): string {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const options = LIVES.map((days) => html`<option value="!${days}">${say.counted('days', days)}</option>`).join('')
  const name = field('name', say('tokenFor'), `required maxlength="${NAME_MAX}" autocomplete="off"`)
    .replace('for="name"', 'for="token-name"')
    .replace('id="name"', 'id="token-name"')
  return section(
    say('tokens'),
    html`<p class="soft">${say('tokensText')}</p>
<ul class="rows">!${tokens.map((token) => tokenRow(visit, token)).join('')}</ul>
!${form(
      visit,
      '/tokens',
      html`!${name}
<div class="field"><label for="token-days">${say('tokenDays')}</label><select id="token-days" name="days">!${options}</select></div>
<button>${say('makeToken')}</button>`,
    )}`,
  )
}

const tokenPage = (visit: SignedVisit, { name, token, api }: { name: string; token: string; api: string }) => {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  return adminPage(visit, {
    title: say('yourToken', { name }),
    content: html`<section class="card"><p>${say('tokenShown')}</p><p><code class="secret">${token}</code></p>
<p class="soft">${say('tokenUse', { api })}</p><p>!${button({ href: '/account', text: say('tokenStored') }, 'primary')}</p></section>`,
  })
}

/** Tokens by which programs call the admin API: made and ended after a recent sign-in, and audited. */
export function serveTokens(app: FastifyInstance, deps: AdminDeps): void {
  const { form: post } = adminRoutes(app, deps)
  const { pool, random } = deps
  post({
    url: '/tokens',
    needs: 'recent',
    async handle({ visit, reply }, fields) {
      const { session, address, now } = visit
      const { person } = session
      const name = (fields.get('name') ?? '').trim().normalize('NFC')
      const days = LIVES.find((each) => String(each) === fields.get('days'))
      const fault = name.length > NAME_MAX ? `must have at most ${NAME_MAX} characters` : nameFault(name)
      const isMany = (await tokensOf(pool, person.id, now)).length >= TOKENS_MAX
      if (fault !== undefined || days === undefined || isMany) {
        const say = visit.viewer.texts(SIGN_IN_TEXTS)
        const text = isMany
          ? say('tooManyTokens', { max: String(TOKENS_MAX) })
          : `${say('tokenFor')} ${fault ?? say('needsTime')}.`
        const next = { href: '/account', text: say('backToAccount') }
        return sendPage(reply.code(400), messagePage(visit, { title: say('noToken'), text, next }))
      }
      const token = newToken(random)
      const expiresAt = new Date(now.getTime() + days * DAY_MS)
      await inTransaction(pool, async (client) => {
        await auditSignIn(client, { event: 'token add', person, address, by: `${name}, for ${days} days`, now })
        await addProgramToken(client, { personId: person.id, name, token, expiresAt }, now)
      })
      reply.header('cache-control', 'no-store')
      return sendPage(reply, tokenPage(visit, { name, token, api: `${deps.baseUrl()}/api` }))
    },
  })
  post({
    url: '/tokens/end',
    needs: 'recent',
    async handle({ visit: { session, address, now }, reply }, fields) {
      const { person } = session
      const digest = fields.get('digest') ?? ''
      if (/^[0-9a-f]{64}$/.test(digest))
        await inTransaction(pool, async (client) => {
          await auditSignIn(client, { event: 'token end', person, address, now })
          await endTokenOf(client, person.id, digest)
        })
      return reply.redirect('/account', 303)
    },
  })
}
