import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AdminApi } from '../api/admin-api.ts'
import { languageCookie, languageRequested } from '../console/look/languages.ts'
import type { RenderedPage } from '../../payment-page/layout.ts'
import { messagePage } from './admin-page.ts'
import { cookieHeader, deviceCookie, isFormToken, isFromHere } from './browser-state.ts'
import type { Oidc } from './oidc.ts'
import { inTransaction } from '../../storage/pool.ts'
import { countAttempt } from './attempts.ts'
import { auditSignIn } from './audit.ts'
import type { SignInDeps } from './password-sign-in.ts'
import type { Person } from '../queries/person.ts'
import { requireRecent, startSession, type Session } from './sessions.ts'
import { newToken } from './tokens.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import { cookieScope, isSecure, readVisit, type Visit } from './visit.ts'

/** What the pages need. */
export interface AdminDeps extends SignInDeps {
  /** Absent: the company has no identity provider. */
  readonly oidc: Oidc | undefined
  readonly api: AdminApi
  /** A sandbox that only its own machine reaches: who looks may be anybody (playground.ts). */
  readonly isPlayground: boolean
}

/** Who may use a route: `recent` only who proved who they are within five minutes. */
type Needs = 'nobody' | 'session' | 'recent'

/** A visit of somebody who is signed in. */
export interface SignedVisit extends Visit {
  readonly session: Session
}

export interface Arrival<Of extends Visit = Visit> {
  readonly visit: Of
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Fields = URLSearchParams
type Body = Readonly<Record<string, unknown>>

interface Route<Needed extends Needs, Content> {
  readonly url: string
  readonly needs: Needed
  /** Of a form with a file; absent: as of all. */
  readonly bytesMax?: number | undefined
  readonly handle: (
    arrival: Arrival<Needed extends 'nobody' ? Visit : SignedVisit>,
    content: Content,
  ) => Promise<FastifyReply>
}

/** Registers routes for signed-in people and others: every POST has a form token and comes from our own pages. */
export function adminRoutes(app: FastifyInstance, deps: AdminDeps) {
  const add = <Needed extends Needs, Content>(
    method: 'GET' | 'POST',
    { url, needs, bytesMax, handle }: Route<Needed, Content>,
    refuse: (arrival: Arrival, how: Refused) => FastifyReply,
  ) =>
    app.route({
      method,
      url,
      ...(bytesMax !== undefined && { bodyLimit: bytesMax }),
      handler: async (request, reply) => {
        const visit = await readVisit(deps, request)
        const language = languageRequested(request.query)
        if (language) reply.header('set-cookie', languageCookie(language, isSecure(deps)))
        if (visit.formCookie.isNew) setCookie(deps, reply, 'form', visit.formCookie.value)
        const arrival = { visit, request, reply }
        const how = refusalOf(deps, arrival, method, needs)
        if (how) return refuse(arrival, how)
        return handle(
          arrival as Arrival<Needed extends 'nobody' ? Visit : SignedVisit>,
          (request.body ?? {}) as Content,
        )
      },
    })
  return {
    page: <Needed extends Needs>(route: Route<Needed, undefined>) => add('GET', route, leadOn),
    form: <Needed extends Needs>(route: Route<Needed, Fields>) => add('POST', route, leadOn),
    json: <Needed extends Needs>(route: Route<Needed, Body>) =>
      add('POST', route, ({ visit, reply, request }, how) =>
        how === 'forged'
          ? reply.code(403).send({ error: visit.viewer.texts(SIGN_IN_TEXTS)('forged') })
          : reply.send({ goTo: WHERE_TO[how](nextOf(request)) }),
      ),
  }
}

type Refused = 'forged' | 'no_session' | 'not_recent'

const WHERE_TO = {
  no_session: (next: string) => `/sign-in?next=${encodeURIComponent(next)}`,
  not_recent: (next: string) => `/again?next=${encodeURIComponent(next)}`,
}

/** Where a person was: a form stands on the page of its address, or on that of the account. */
function nextOf({ method, url, headers }: FastifyRequest): string {
  if (method === 'GET' || url.startsWith('/approvals/')) return url
  // Our own pages send it (admin-app.ts); `pathOnward` refuses what is not ours.
  const page = URL.parse(headers.referer ?? '')
  return page ? `${page.pathname}${page.search}` : '/account'
}

function refusalOf(
  deps: AdminDeps,
  { visit, request }: Arrival,
  method: 'GET' | 'POST',
  needs: Needs,
): Refused | undefined {
  if (needs !== 'nobody' && !visit.session) return 'no_session'
  if (method === 'POST') {
    const { headers, body } = request
    const header = headers['x-form-token']
    const given = body instanceof URLSearchParams ? body.get('token') : header
    const isOurs =
      isFromHere(headers, deps.baseUrl()) && isFormToken(visit.formToken, typeof given === 'string' ? given : undefined)
    if (!isOurs || visit.formCookie.isNew) return 'forged'
  }
  return needs === 'recent' && visit.session && !isRecent(deps, visit.session, visit.now) ? 'not_recent' : undefined
}

/** In a playground people without a way to sign in have nothing to prove it with. */
const isRecent = ({ isPlayground }: AdminDeps, session: Session, now: Date): boolean =>
  requireRecent(session, now) || (isPlayground && !session.hasSignIn)

function leadOn({ visit, request, reply }: Arrival, how: Refused): FastifyReply {
  if (how !== 'forged') return reply.redirect(WHERE_TO[how](nextOf(request)), 303)
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const next = { href: visit.session ? '/' : '/sign-in', text: say('loadAgain') }
  return sendPage(reply.code(403), messagePage(visit, { title: say('nothingDone'), text: say('forged'), next }))
}

export const sendPage = (reply: FastifyReply, { html, policy }: RenderedPage): FastifyReply =>
  reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)

export const setCookie = (
  deps: AdminDeps,
  reply: FastifyReply,
  name: Parameters<typeof cookieHeader>[0],
  value: string | undefined,
): FastifyReply => reply.header('set-cookie', cookieHeader(name, value, cookieScope(deps)))

/** A path of ours to go on to, from a query or a form; any other leads home. */
export function pathOnward(deps: AdminDeps, given: unknown): string {
  const url = typeof given === 'string' && given.startsWith('/') ? URL.parse(given, deps.baseUrl()) : null
  return url?.origin === deps.baseUrl() ? `${url.pathname}${url.search}` : '/'
}

/**
 * Signs a person in: a new session in place of this browser's former one, and the cookie by which the browser is known
 * next time.
 */
export async function signIn(
  deps: AdminDeps,
  { visit, reply }: Arrival,
  person: Person,
  { by, former = visit.session }: { readonly by: string; readonly former?: Session | undefined },
): Promise<void> {
  const { pool, random, digests } = deps
  const { now, address } = visit
  const token = await inTransaction(pool, async (client) => {
    await auditSignIn(client, { event: 'sign in', person, address, by, now })
    return startSession(client, person, visit, { random, now, former })
  })
  setCookie(deps, reply, 'session', token)
  setCookie(deps, reply, 'device', deviceCookie(digests, visit.deviceOf(person) ?? newToken(random), person))
}

/** Counts what somebody begins without having signed in. */
export const isTooMany = async ({ pool, digests }: AdminDeps, { network, now }: Visit): Promise<boolean> =>
  (await countAttempt({ client: pool, digests, now }, [{ kind: 'begun', key: network }])) === 'over'
