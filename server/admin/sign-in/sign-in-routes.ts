import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { inTransaction } from '../../storage/pool.ts'
import { adminPage, alertOf, form, messagePage, passkeyButton } from './admin-page.ts'
import {
  adminRoutes,
  isTooMany,
  TOO_MANY,
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
import type { Visit } from './visit.ts'

const WRONG = 'The e-mail address, the password or the code is wrong, or the code was used before.'
const LIMITED = 'Too many attempts from here. Wait 15 minutes, or sign in with a passkey.'
const BUSY = 'Many people sign in just now. Try again in a minute.'
const STATUS = { wrong: 401, limited: 429 } as const
const EMAIL_MAX = 254

interface FormState {
  readonly next: string
  readonly alert?: string
  readonly email?: string
  /** Markup above the form. */
  readonly above?: string
}

const codeFields = html`<label for="code">Code from your app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}">
<details><summary>Use a recovery code instead</summary>
<label for="recovery">Recovery code</label><input id="recovery" name="recovery" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40">
</details>`

const otherWays = ({ oidc }: AdminDeps, next: string, isAgain: boolean): string => html`
!${passkeyButton({ data: { 'passkey-do': 'use', next }, text: 'Use a passkey' })}
!${oidc ? html`<a class="button second" href="/oidc?again=${isAgain ? 'yes' : 'no'}&amp;next=${encodeURIComponent(next)}">Use your company account</a>` : ''}`

/** Passkeys first for who has one; the form needs no script. */
const signInPage = (deps: AdminDeps, visit: Visit, { next, alert, email = '', above = '' }: FormState) =>
  adminPage(visit, {
    title: 'Sign in',
    script: true,
    content: html`!${above}<section class="card"><h1>Sign in to Malipo</h1>
!${alertOf(alert)}
!${form(
      visit,
      '/sign-in',
      html`<input type="hidden" name="next" value="${next}">
<label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="username" required maxlength="!${EMAIL_MAX}" value="${email}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="!${PASSWORD_MAX}">
!${codeFields}
<button class="primary">Sign in</button>`,
    )}
<div class="more">!${otherWays(deps, next, false)}
<p class="soft">No access yet, or lost it? An admin gives you a link.</p></div></section>`,
  })

const againPage = (deps: AdminDeps, visit: Visit, { next, alert }: FormState) =>
  adminPage(visit, {
    title: 'Confirm that it is you',
    script: true,
    content: html`<section class="card"><h1>Confirm that it is you</h1>
<p>This step asks for your sign-in again, because the last one was more than five minutes ago.</p>
!${alertOf(alert)}
!${form(
      visit,
      '/again',
      html`<input type="hidden" name="next" value="${next}">
<input type="hidden" name="email" autocomplete="username" value="${visit.session?.person.email ?? ''}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="!${PASSWORD_MAX}">
!${codeFields}
<button class="primary">Continue</button>`,
    )}
<div class="more">!${otherWays(deps, next, true)}</div></section>`,
  })

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
    return sendPage(reply.code(503).header('retry-after', '60'), pageOf({ next, email, alert: BUSY }))
  if (typeof outcome === 'string')
    return sendPage(reply.code(STATUS[outcome]), pageOf({ next, email, alert: outcome === 'wrong' ? WRONG : LIMITED }))
  const by = field('recovery') === '' ? 'password' : 'recovery code'
  await signIn(deps, { visit, request, reply }, outcome, { by })
  return reply.redirect(next, 303)
}

const NOT_OURS = {
  title: 'No access with this account',
  text: 'Your company account is signed in, but nobody here has its verified e-mail address, or another account came with that address before. Ask an admin.',
  next: { href: '/sign-in', text: 'Back to the sign-in' },
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
        return sendPage(reply.code(429), messagePage(visit, { title: 'Wait a little', text: TOO_MANY }))
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
      if (!result) return sendPage(reply.code(403), messagePage(visit, NOT_OURS))
      const { person, sessionId, next } = result
      // The session's cookie does not come along from another site.
      const former = (await sessionsOf(deps.pool, person.id, visit.now)).find(({ id }) => id === sessionId)
      if (sessionId !== undefined && !former) return sendPage(reply.code(403), messagePage(visit, NOT_OURS))
      await signIn(deps, arrival, person, { by: 'company account', former })
      // A page, not a redirect: the request that follows a redirect from another site would not carry the session.
      return sendPage(
        reply,
        adminPage(visit, {
          title: 'Signed in',
          refresh: html`<meta http-equiv="refresh" content="0; url=${next}">`,
          content: html`<section class="card good"><h1>Signed in</h1><a class="button primary" href="${next}">Continue</a></section>`,
        }),
      )
    },
  })
}
