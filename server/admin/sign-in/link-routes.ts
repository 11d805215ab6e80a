import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { inTransaction, type Queryable } from '../../storage/pool.ts'
import { button, section } from '../console/look/values.ts'
import { adminPage, alertOf, field, form, messagePage, passkeyButton } from './admin-page.ts'
import { adminRoutes, sendPage, signIn, type AdminDeps, type Arrival } from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { enrolment, qrCode, renewRecoveryCodes, stepOf } from './codes.ts'
import { LINK_PURPOSES, type LinkPurpose } from './links.ts'
import { hashPassword, isPassword, passwordFault, PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts'
import type { Person } from '../queries/person.ts'
import { findPerson } from './person.ts'
import { endSessionsOf, removeCredentialsOf } from '../queries/end-sessions.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import { findToken, takeToken, type StoredToken } from './tokens.ts'
import type { Visit } from './visit.ts'

/** A valid link and whose it is. */
export interface OpenLink {
  readonly token: string
  readonly stored: StoredToken
  readonly purpose: LinkPurpose
  readonly person: Person
}

/** The link of a token; one that people made for themselves works in their own session only. */
export async function openLink(
  { pool, audience }: AdminDeps,
  visit: Visit,
  token: unknown,
): Promise<OpenLink | undefined> {
  if (typeof token !== 'string') return undefined
  const stored = await findToken(pool, token, LINK_PURPOSES, visit.now)
  const person = stored?.personId === undefined ? undefined : await findPerson(pool, stored.personId, audience)
  if (!stored || !person) return undefined
  if (stored.purpose === 'renew' && visit.session?.person.id !== person.id) return undefined
  return { token, stored, purpose: stored.purpose as LinkPurpose, person }
}

/** Another request used the link meanwhile. */
export class LinkOver extends Error {}

/**
 * Uses a link up, in the transaction of what it sets up. A link of an admin replaces everything that the person signed
 * in with before; any link ends the person's sessions.
 * @throws LinkOver
 */
export async function useLink(client: Queryable, link: OpenLink, { address, now }: Visit): Promise<void> {
  const { token, purpose, person } = link
  await auditSignIn(client, { event: 'sign-in set up', person, address, by: `link: ${purpose}`, now })
  if (!(await takeToken(client, token, [purpose], now))) throw new LinkOver()
  if (purpose !== 'renew') await removeCredentialsOf(client, person.id)
  await endSessionsOf(client, person.id)
}

const linkPage = (deps: AdminDeps, visit: Visit, { token, stored, purpose, person }: OpenLink, alert?: string) => {
  const { secret, uri } = enrolment(deps.digests, stored.digest, person.email)
  const isOwn = purpose === 'renew'
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const { name, email } = person
  const lengths = `minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}"`
  const rule = html`<p class="hint" id="rule">${say('passwordRule', { min: String(PASSWORD_MIN) })}</p>`
  const passkey = passkeyButton({
    data: { 'passkey-do': 'add', link: token },
    text: say('usePasskey'),
    before: html`<p class="soft">${say('quickest')}</p>`,
    after: html`<p class="or">${say('or')}</p>`,
  })
  return adminPage(visit, {
    title: isOwn ? say('passwordAndCodes') : say('welcome', { name }),
    script: !isOwn,
    content: html`<section class="card"><p>${isOwn ? say('replaces') : say('setUpAs', { email })}</p>
!${alertOf(alert)}
!${isOwn ? '' : passkey}
!${form(
      visit,
      `/link/${token}`,
      html`<input type="hidden" name="email" autocomplete="username" value="${email}">
!${isOwn ? field('current', say('current'), `type="password" autocomplete="current-password" maxlength="${PASSWORD_MAX}"`) : ''}
!${field('password', say('newPassword'), `type="password" autocomplete="new-password" required ${lengths} aria-describedby="rule"`, rule)}
<h2>${say('app')}</h2>
<p class="soft">${say('scan')} <code class="secret">${secret}</code></p>
<p><a class="button" href="${uri}">${say('openApp')}</a></p>
!${qrCode(uri)}
!${field('code', say('sixDigits'), 'inputmode="numeric" autocomplete="one-time-code" required maxlength="7" pattern="[0-9 ]{6,7}"')}
<button class="primary">${say('finish')}</button>`,
    )}</section>`,
  })
}

const codesPage = (visit: Visit, codes: readonly string[]) => {
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  return adminPage(visit, {
    title: say('youAreIn'),
    content: section(
      say('yourCodes'),
      html`<p>${say('codesText')}</p>
<ol class="codes">!${codes.map((code) => html`<li><code>${code}</code></li>`).join('')}</ol>
<p>!${button({ href: '/', text: say('stored') }, 'primary')}</p>`,
    ),
  })
}

/** What is wrong with a form that sets a password. */
async function setUpFault(
  { pool, digests, passwordCost, clock, realClock = clock }: AdminDeps,
  { viewer }: Visit,
  { stored, person, purpose }: OpenLink,
  field: (name: string) => string,
): Promise<string | undefined> {
  const say = viewer.texts(SIGN_IN_TEXTS)
  if (purpose === 'renew') {
    const { rows } = await pool.query<{ password_hash: string | null }>(
      'select password_hash from sign_in_credentials where person_id = $1',
      [person.id],
    )
    const hash = rows[0]?.password_hash ?? undefined
    if (hash !== undefined && !(await isPassword(field('current'), hash, passwordCost))) return say('currentWrong')
  }
  const fault = await passwordFault(field('password'), [person.name, person.email])
  if (fault !== undefined) return fault
  const step = stepOf(digests, stored.digest, { code: codeOf(field), now: realClock.now(), after: 0 })
  return step === undefined ? say('codeWrong') : undefined
}

const codeOf = (field: (name: string) => string): string => field('code').replaceAll(' ', '')

/** Links of admins for people who have no way to sign in yet, or none any more, and those of people for themselves. */
export function serveLinks(app: FastifyInstance, deps: AdminDeps): void {
  const { page, form: post } = adminRoutes(app, deps)
  const { pool, digests, random, clock, realClock = clock } = deps
  const tokenOf = ({ request }: Arrival): unknown => (request.params as { readonly token: unknown }).token
  const over = ({ visit, reply }: Arrival) => {
    const say = visit.viewer.texts(SIGN_IN_TEXTS)
    const next = { href: '/sign-in', text: say('toSignIn') }
    return sendPage(reply.code(404), messagePage(visit, { title: say('linkOver'), text: say('linkOverText'), next }))
  }

  // A look at the link does not use it up: messengers and mail filters open links too.
  page({
    url: '/link/:token',
    needs: 'nobody',
    async handle(arrival) {
      const link = await openLink(deps, arrival.visit, tokenOf(arrival))
      return link ? sendPage(arrival.reply, linkPage(deps, arrival.visit, link)) : over(arrival)
    },
  })
  post({
    url: '/link/:token',
    needs: 'nobody',
    async handle(arrival, fields) {
      const { visit, reply } = arrival
      const link = await openLink(deps, visit, tokenOf(arrival))
      if (!link) return over(arrival)
      const { person, stored } = link
      const field = (name: string): string => fields.get(name) ?? ''
      const fault = await setUpFault(deps, visit, link, field)
      if (fault !== undefined) return sendPage(reply.code(400), linkPage(deps, visit, link, fault))
      const hash = await hashPassword(field('password'), random, deps.passwordCost)
      const step = stepOf(digests, stored.digest, { code: codeOf(field), now: realClock.now(), after: 0 })
      const codes = await inTransaction(pool, async (client) => {
        await useLink(client, link, visit)
        await client.query(
          `insert into sign_in_credentials (person_id, password_hash, totp_seed, totp_step) values ($1, $2, $3, $4)
           on conflict (person_id) do update set password_hash = $2, totp_seed = $3, totp_step = $4`,
          [person.id, hash, stored.digest, step],
        )
        return renewRecoveryCodes(client, person.id, random)
      }).catch((error: unknown) => {
        if (error instanceof LinkOver) return undefined
        throw error
      })
      if (!codes) return over(arrival)
      await signIn(deps, arrival, person, { by: 'link', former: undefined })
      return sendPage(reply, codesPage(visit, codes))
    },
  })
}
