import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { inTransaction } from '../../storage/pool.ts'
import { adminPage, form, passkeyButton, time } from './admin-page.ts'
import { adminRoutes, sendPage, type AdminDeps, type SignedVisit } from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { createLink } from './links.ts'
import { tokensSection } from './token-routes.ts'
import { tokensOf, type OpenToken } from '../queries/person-tokens.ts'
import { passkeysOf, removePasskey, type Passkey } from './passkeys.ts'
import { endSessionsOf } from '../queries/end-sessions.ts'
import { sessionsOf, type Session } from './sessions.ts'

const sessionRow = (
  visit: SignedVisit,
  { id, browser, address, createdAt, seenAt }: Session,
): string => html`<li><div>${browser}
<small>from ${address}, signed in !${time(createdAt)}, last used !${time(seenAt)}</small></div>
!${
  id === visit.session.id
    ? '<b>This one</b>'
    : form(visit, '/sessions/end', html`<input type="hidden" name="id" value="${String(id)}"><button>End</button>`)
}</li>`

const passkeyRow = (visit: SignedVisit, { id, name, createdAt, usedAt }: Passkey): string => html`<li><div>${name}
<small>added !${time(createdAt)}, !${usedAt ? html`last used !${time(usedAt)}` : 'not used yet'}</small></div>
!${form(visit, '/passkeys/remove', html`<input type="hidden" name="id" value="${id}"><button>Remove</button>`)}</li>`

interface SignInWays {
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly Session[]
  readonly tokens: readonly OpenToken[]
}

const accountPage = (visit: SignedVisit, { passkeys, sessions, tokens }: SignInWays) =>
  adminPage(visit, {
    title: 'Your sign-in',
    script: true,
    content: html`<section class="card"><h1>Your sign-in</h1>
<h2>Passkeys</h2><p class="soft">A passkey on your phone or computer signs you in without password and code, and works on no other site.</p>
<ul class="rows">!${passkeys.map((passkey) => passkeyRow(visit, passkey)).join('')}</ul>
!${passkeyButton({
      data: { 'passkey-do': 'add' },
      text: 'Add a passkey',
      before: html`<label for="name">Name of the new passkey</label><input id="name" data-passkey-name maxlength="60" value="${visit.browser}">`,
    })}<noscript><p class="soft">Adding one needs JavaScript.</p></noscript></section>
<section class="card"><h2>Password and codes</h2><p class="soft">Choose a new password, connect your authenticator app again and get new recovery codes, in one step. Other sessions end with it.</p>
!${form(visit, '/renew', '<button class="second">Set up password and codes again</button>')}</section>
<section class="card"><h2>Sessions</h2><p class="soft">A session ends after 30 minutes without use, and after 12 hours.</p>
<ul class="rows">!${sessions.map((session) => sessionRow(visit, session)).join('')}</ul>
!${sessions.length > 1 ? form(visit, '/sessions/end-others', '<button class="second">End all other sessions</button>') : ''}</section>
!${tokensSection(visit, tokens)}`,
  })

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
