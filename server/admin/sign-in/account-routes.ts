import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { inTransaction } from '../../storage/pool.ts'
import { section } from '../console/look/values.ts'
import { adminPage, field, form, passkeyButton, time } from './admin-page.ts'
import { adminRoutes, sendPage, type AdminDeps, type SignedVisit } from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { createLink } from './links.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import { tokensSection } from './token-routes.ts'
import { tokensOf, type OpenToken } from '../queries/person-tokens.ts'
import { passkeysOf, removePasskey, type Passkey } from './passkeys.ts'
import { endSessionsOf } from '../queries/end-sessions.ts'
import { sessionsOf, type Session } from './sessions.ts'

const sessionRow = (visit: SignedVisit, { id, browser, address, createdAt, seenAt }: Session): string => {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const input = html`<input type="hidden" name="id" value="${String(id)}"><button>${say('end')}</button>`
  return html`<li><div>${browser}
<small>${say('from', { address })} !${time(visit, createdAt)}, ${say('lastUsed')} !${time(visit, seenAt)}</small></div>
!${id === visit.session.id ? html`<b>${say('thisOne')}</b>` : form(visit, '/sessions/end', input)}</li>`
}

const passkeyRow = (visit: SignedVisit, { id, name, createdAt, usedAt }: Passkey): string => {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const used = usedAt ? html`${say('lastUsed')} !${time(visit, usedAt)}` : html`${say('notUsed')}`
  const input = html`<input type="hidden" name="id" value="${id}"><button>${say('remove')}</button>`
  return html`<li><div>${name}
<small>${say('added')} !${time(visit, createdAt)}, !${used}</small></div>
!${form(visit, '/passkeys/remove', input)}</li>`
}

interface SignInWays {
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly Session[]
  readonly tokens: readonly OpenToken[]
}

const accountPage = (visit: SignedVisit, { passkeys, sessions, tokens }: SignInWays) => {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const soft = (text: string): string => html`<p class="soft">${text}</p>`
  const add = passkeyButton({
    data: { 'passkey-do': 'add' },
    text: say('addPasskey'),
    before: field('name', say('passkeyName'), html`data-passkey-name maxlength="60" value="${visit.browser}"`),
  })
  const others =
    sessions.length > 1 ? form(visit, '/sessions/end-others', html`<button>${say('endOthers')}</button>`) : ''
  return adminPage(visit, {
    title: say('account'),
    script: true,
    content: [
      section(
        say('passkeys'),
        html`!${soft(say('passkeysText'))}<ul class="rows">!${passkeys.map((passkey) => passkeyRow(visit, passkey)).join('')}</ul>!${add}<noscript>!${soft(say('needsScript'))}</noscript>`,
      ),
      section(
        say('passwordAndCodes'),
        `${soft(say('renewText'))}${form(visit, '/renew', html`<button>${say('renew')}</button>`)}`,
      ),
      section(
        say('sessions'),
        html`!${soft(say('sessionsText'))}<ul class="rows">!${sessions.map((session) => sessionRow(visit, session)).join('')}</ul>!${others}`,
      ),
      tokensSection(visit, tokens),
    ].join(''),
  })
}

/** The pages of who is signed in: who they are, how they sign in, and where they are signed in. */
export function serveAccount(app: FastifyInstance, deps: AdminDeps): void {
  const { page, form: post } = adminRoutes(app, deps)
  const { pool, random } = deps

  page({
    url: '/account',
    needs: 'session',
    async handle({ visit, reply }) {
      const { session, now } = visit
      const { id } = session.person
      const [passkeys, sessions] = [await passkeysOf(pool, id), await sessionsOf(pool, id, now)]
      return sendPage(reply, accountPage(visit, { passkeys, sessions, tokens: await tokensOf(pool, id, now) }))
    },
  })
  const endSessions = async ({ session, address, now }: SignedVisit, id: bigint | undefined): Promise<void> =>
    inTransaction(pool, async (client) => {
      const { person } = session
      await auditSignIn(client, { event: 'sessions end', person, address, now })
      if (id === undefined) await endSessionsOf(client, person.id, session.id)
      else await client.query('delete from sessions where id = $1 and person_id = $2', [id, person.id])
    })
  post({
    url: '/sessions/end',
    needs: 'recent',
    async handle({ visit, reply }, fields) {
      const id = fields.get('id') ?? ''
      if (/^\d{1,18}$/.test(id)) await endSessions(visit, BigInt(id))
      return reply.redirect('/account', 303)
    },
  })
  post({
    url: '/sessions/end-others',
    needs: 'recent',
    async handle({ visit, reply }) {
      await endSessions(visit, undefined)
      return reply.redirect('/account', 303)
    },
  })
  post({
    url: '/passkeys/remove',
    needs: 'recent',
    async handle({ visit, reply }, fields) {
      const { session, address, now } = visit
      await inTransaction(pool, async (client) => {
        await auditSignIn(client, { event: 'passkey remove', person: session.person, address, now })
        await removePasskey(client, session.person.id, fields.get('id') ?? '')
        await endSessionsOf(client, session.person.id, session.id)
      })
      return reply.redirect('/account', 303)
    },
  })
  post({
    url: '/renew',
    needs: 'recent',
    async handle({ visit: { session, now }, reply }) {
      const { path } = await createLink(pool, { personId: session.person.id, purpose: 'renew', random, now })
      return reply.redirect(path, 303)
    },
  })
}
