import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { inTransaction } from '../../storage/pool.ts'
import { button } from '../console/look/values.ts'
import { adminPage, alertOf, field, form, messagePage, passkeyButton } from './admin-page.ts'
import {
  adminRoutes,
  isTooMany,
  pathOnward,
  sendPage,
  setCookie,
  signIn,
  type AdminDeps,
  type Arrival,
} from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { OIDC_CALLBACK } from './oidc.ts'
import { PasswordsBusy, PASSWORD_MAX } from './passwords.ts'
import { checkPassword } from './password-sign-in.ts'
import { playgroundPart } from './playground.ts'
import { sessionsOf } from './sessions.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

const STATUS = { wrong: 401, limited: 429 } as const
const EMAIL_MAX = 254

interface FormState {
  readonly next: string
  readonly alert?: string
  readonly email?: string
  /** Markup above the form. */
  readonly above?: string
}

type Say = ReturnType<typeof texts>
const texts = ({ viewer }: Visit) => viewer.texts(SIGN_IN_TEXTS)

const passwordFields = (say: Say): string =>
  html`!${field('password', say('password'), `type="password" autocomplete="current-password" required maxlength="${PASSWORD_MAX}"`)}
!${field('code', say('code'), 'inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}"')}
<details><summary>${say('useRecovery')}</summary>
!${field('recovery', say('recovery'), 'autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"')}</details>`

const otherWays = ({ oidc }: AdminDeps, say: Say, next: string, isAgain: boolean): string => html`
!${passkeyButton({ data: { 'passkey-do': 'use', next }, text: say('usePasskey') })}
!${oidc ? html`<p>!${button({ href: `/oidc?again=${isAgain ? 'yes' : 'no'}&next=${encodeURIComponent(next)}`, text: say('useCompany') })}</p>` : ''}`

/** Passkeys first for who has one; the form needs no script. */
const signInPage = (deps: AdminDeps, visit: Visit, { next, alert, email = '', above = '' }: FormState) => {
  const say = texts(visit)
  return adminPage(visit, {
    title: say('signInTitle'),
    script: true,
    content: html`!${above}<section class="card">!${alertOf(alert)}
!${form(
      visit,
      '/sign-in',
      html`<input type="hidden" name="next" value="${next}">
!${field('email', say('email'), html`type="email" autocomplete="username" required maxlength="!${EMAIL_MAX}" value="${email}"`)}
!${passwordFields(say)}
<button class="primary">${say('signIn')}</button>`,
    )}
!${otherWays(deps, say, next, false)}<p class="soft">${say('noAccess')}</p></section>`,
  })
}

const againPage = (deps: AdminDeps, visit: Visit, { next, alert }: FormState) => {
  const say = texts(visit)
  return adminPage(visit, {
    title: say('again'),
    script: true,
    content: html`<section class="card"><p>${say('againText')}</p>
!${alertOf(alert)}
!${form(
      visit,
      '/again',
      html`<input type="hidden" name="next" value="${next}">
<input type="hidden" name="email" autocomplete="username" value="${visit.session?.person.email ?? ''}">
!${passwordFields(say)}
<button class="primary">${say('continue')}</button>`,
    )}
!${otherWays(deps, say, next, true)}</section>`,
  })
}

/** Sign-in by password and code or at the company's provider, the same once more, and sign-out. */
export function serveSignIn(app: FastifyInstance, deps: AdminDeps): void {
  const { page, form: post } = adminRoutes(app, deps)
  const nextOf = (arrival: Arrival): string => pathOnward(deps, queryOf(arrival)['next'])

  page({
    url: '/sign-in',
    needs: 'nobody',
    async handle(arrival) {
      const next = nextOf(arrival)
      const above = await playgroundPart(deps, arrival.visit, next)
      return sendPage(arrival.reply, signInPage(deps, arrival.visit, { next, above }))
    },
  })
  post({
    url: '/sign-in',
    needs: 'nobody',
    handle: (arrival, fields) =>
      takePassword(deps, arrival, fields, fields.get('email') ?? '', (state) => signInPage(deps, arrival.visit, state)),
  })
  page({
    url: '/again',
    needs: 'session',
    handle: async (arrival) => sendPage(arrival.reply, againPage(deps, arrival.visit, { next: nextOf(arrival) })),
  })
  post({
    url: '/again',
    needs: 'session',
    handle: (arrival, fields) =>
      takePassword(deps, arrival, fields, arrival.visit.session.person.email, (state) =>
        againPage(deps, arrival.visit, state),
      ),
  })
  post({
    url: '/sign-out',
    needs: 'session',
    async handle({ visit, reply }) {
      const { session, address, now } = visit
      await inTransaction(deps.pool, async (client) => {
        await auditSignIn(client, { event: 'sign out', person: session.person, address, now })
        await client.query('delete from sessions where id = $1', [session.id])
      })
      // Pages in the browser's memory must not come back by its back button.
      return setCookie(deps, reply, 'session', undefined).header('clear-site-data', '"cache"').redirect('/sign-in', 303)
    },
  })
  serveOidc(app, deps)
}

async function takePassword(
  deps: AdminDeps,
  { visit, request, reply }: Arrival,
  fields: URLSearchParams,
  email: string,
  pageOf: (state: FormState) => ReturnType<typeof signInPage>,
) {
  const next = pathOnward(deps, fields.get('next'))
  const field = (name: string): string => fields.get(name) ?? ''
  const outcome = await checkPassword(deps, {
    ...visit,
    email: email.slice(0, EMAIL_MAX),
    password: field('password'),
    code: field('code').replaceAll(' ', ''),
    recoveryCode: field('recovery'),
  }).catch((error: unknown) => {
    if (error instanceof PasswordsBusy) return 'busy' as const
    throw error
  })
  if (outcome === 'busy')
    return sendPage(reply.code(503).header('retry-after', '60'), pageOf({ next, email, alert: texts(visit)('busy') }))
  if (typeof outcome === 'string')
    return sendPage(reply.code(STATUS[outcome]), pageOf({ next, email, alert: texts(visit)(outcome) }))
  const by = field('recovery') === '' ? 'password' : 'recovery code'
  await signIn(deps, { visit, request, reply }, outcome, { by })
  return reply.redirect(next, 303)
}

function notOurs(visit: Visit) {
  const say = texts(visit)
  const next = { href: '/sign-in', text: say('toSignIn') }
  return messagePage(visit, { title: say('notOurs'), text: say('notOursText'), next })
}

const queryOf = ({ request }: Arrival) => request.query as Readonly<Record<string, unknown>>

function serveOidc(app: FastifyInstance, deps: AdminDeps): void {
  const { oidc } = deps
  if (!oidc) return
  const { page } = adminRoutes(app, deps)
  page({
    url: '/oidc',
    needs: 'nobody',
    async handle(arrival) {
      const { visit, reply } = arrival
      if (await isTooMany(deps, visit))
        return sendPage(
          reply.code(429),
          messagePage(visit, { title: texts(visit)('waitALittle'), text: texts(visit)('tooMany') }),
        )
      const { again, next } = queryOf(arrival)
      const sessionId = again === 'yes' ? visit.session?.id : undefined
      const url = await oidc.start(visit.formCookie.value, pathOnward(deps, next), sessionId)
      return reply.redirect(url.href, 303)
    },
  })
  page({
    url: OIDC_CALLBACK,
    needs: 'nobody',
    async handle(arrival) {
      const { visit, request, reply } = arrival
      const result = await oidc.finish(new URL(request.url, deps.baseUrl()), visit.formCookie.value)
      if (!result) return sendPage(reply.code(403), notOurs(visit))
      const { person, sessionId, next } = result
      // The session's cookie does not come along from another site.
      const former = (await sessionsOf(deps.pool, person.id, visit.now)).find(({ id }) => id === sessionId)
      if (sessionId !== undefined && !former) return sendPage(reply.code(403), notOurs(visit))
      await signIn(deps, arrival, person, { by: 'company account', former })
      // A page, not a redirect: the request that follows a redirect from another site would not carry the session.
      return sendPage(
        reply,
        adminPage(visit, {
          title: texts(visit)('signedIn'),
          refresh: html`<meta http-equiv="refresh" content="0; url=${next}">`,
          content: `<p>${button({ href: next, text: texts(visit)('continue') }, 'primary')}</p>`,
        }),
      )
    },
  })
}
