import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { nameFault } from '../../domain/readable-text.ts'
import { inTransaction } from '../../storage/pool.ts'
import { addProgramToken, endTokenOf, TOKENS_MAX, tokensOf, type OpenToken } from '../queries/person-tokens.ts'
import { adminPage, form, messagePage, time } from './admin-page.ts'
import { adminRoutes, sendPage, type AdminDeps, type SignedVisit } from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { newToken } from './tokens.ts'

const DAY_MS = 24 * 3_600_000
/** How long a token may last, in days. */
const LIVES = [1, 7, 30, 90] as const
const NAME_MAX = 60

const tokenRow = (visit: SignedVisit, { digest, name, ...token }: OpenToken): string => {
  const used = token.used_at ? html`last used !${time(token.used_at)}` : 'not used yet'
  return html`<li><div>${name ?? 'Login of the command line'}
<small>made !${time(token.created_at)}, !${used}, ends !${time(token.expires_at)}</small></div>
!${form(visit, '/tokens/end', html`<input type="hidden" name="digest" value="${digest}"><button>End</button>`)}</li>`
}

/** The tokens of a person, and a form for another one. */
export const tokensSection = (visit: SignedVisit, tokens: readonly OpenToken[]): string =>
  html`<section class="card"><h2>Tokens for programs</h2><p class="soft">A program that calls the admin API with your token may do what your role may. It ends by itself, with your role, and here.</p>
<ul class="rows">!${tokens.map((token) => tokenRow(visit, token)).join('')}</ul>
!${form(
    visit,
    '/tokens',
    html`<label for="token-name">What it is for</label><input id="token-name" name="name" required maxlength="!${NAME_MAX}" autocomplete="off">
<label for="token-days">How long it lasts</label><select id="token-days" name="days">!${LIVES.map((days) => html`<option value="!${days}">!${days === 1 ? 'A day' : `${days} days`}</option>`).join('')}</select>
<button class="second">Make a token</button>`,
  )}</section>`

const tokenPage = (visit: SignedVisit, { name, token, api }: { name: string; token: string; api: string }) =>
  adminPage(visit, {
    title: 'Your token',
    content: html`<section class="card good"><h1>A token for ${name}</h1>
<p>It is shown only now: put it where the program keeps its secrets.</p><p><code class="secret">${token}</code></p>
<p class="soft">It goes into the header <code>Authorization: Bearer …</code> of calls below <code>${api}</code>.</p>
<a class="button primary" href="/account">I have stored it</a></section>`,
  })

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
        const text = isMany
          ? `You have ${TOKENS_MAX} tokens: end one first.`
          : `What it is for ${fault ?? 'needs a time'}.`
        const next = { href: '/account', text: 'Back to your sign-in' }
        return sendPage(reply.code(400), messagePage(visit, { title: 'No token was made', text, next }))
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
