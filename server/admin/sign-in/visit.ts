import type { FastifyRequest } from 'fastify'
import { viewerOfRequest, type Viewer } from '../console/look/viewer.ts'
import { audienceOf } from '../../domain/people/audience.ts'
import { networkOf } from '../../http/rate-limit.ts'
import { deviceOf, formToken, readCookie, type CookieScope } from './browser-state.ts'
import type { SignInDeps } from './password-sign-in.ts'
import type { Person } from '../queries/person.ts'
import { findSession, type Origin, type Session } from './sessions.ts'
import { newToken } from './tokens.ts'

/** A request of a browser, and what is known about who sends it. */
export interface Visit extends Origin {
  readonly session: Session | undefined
  /** The value of the form cookie; `isNew` where the browser has yet to get it. */
  readonly formCookie: { readonly value: string; readonly isNew: boolean }
  /** The token that the forms of this browser carry. */
  readonly formToken: string
  /** The address, or of IPv6 its /64. */
  readonly network: string
  readonly now: Date
  /** The id of this browser, if this person signed in with it before. */
  readonly deviceOf: (person: Pick<Person, 'id'>) => string | undefined
  readonly viewer: Viewer
  /** Path and query, by which GET shows the page again. */
  readonly url: string
  readonly isSandbox: boolean
  readonly inboxUrl: string | undefined
}

export const isSecure = ({ baseUrl }: Pick<SignInDeps, 'baseUrl'>): boolean => baseUrl().startsWith('https:')

/** Cookies do not know ports: the two listeners may have one host name. */
export const cookieScope = (deps: Pick<SignInDeps, 'baseUrl' | 'audience'>): CookieScope => ({
  isSecure: isSecure(deps),
  audience: deps.audience,
})

/** Reads the cookies of a request, and finds its session. */
export async function readVisit(deps: SignInDeps, request: FastifyRequest): Promise<Visit> {
  const { headers, ip } = request
  const { pool, clock, digests, random } = deps
  const scope = cookieScope(deps)
  const now = clock.now()
  const token = readCookie(headers, 'session', scope)
  const found = token === undefined ? undefined : await findSession(pool, token, now)
  const session = found && audienceOf(found.person) === deps.audience ? found : undefined
  const known = readCookie(headers, 'form', scope)
  const formCookie = { value: known ?? newToken(random), isNew: known === undefined }
  return {
    session,
    formCookie,
    formToken: formToken(digests, formCookie.value, session?.id),
    address: ip,
    network: networkOf(ip),
    browser: browserName(headers['user-agent'] ?? ''),
    now,
    viewer: viewerOfRequest(request),
    url: request.method === 'GET' ? request.url : '/',
    isSandbox: deps.isSandbox,
    inboxUrl: deps.inboxUrl,
    deviceOf: (person) => deviceOf(digests, readCookie(headers, 'device', scope), person),
  }
}

const firstOf = (text: string, names: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(names).find(([sign]) => text.includes(sign))?.[1]

/** As its owner calls it: "Firefox on Linux". The order matters: Edge calls itself Chrome, and Chrome Safari. */
export function browserName(userAgent: string): string {
  const browsers = {
    Edg: 'Edge',
    'OPR/': 'Opera',
    'SamsungBrowser/': 'Samsung Internet',
    'Firefox/': 'Firefox',
    'FxiOS/': 'Firefox',
    'CriOS/': 'Chrome',
    'Chrome/': 'Chrome',
    'Safari/': 'Safari',
  }
  const systems = {
    Android: 'Android',
    iPhone: 'iPhone',
    iPad: 'iPad',
    Windows: 'Windows',
    'Mac OS': 'macOS',
    Linux: 'Linux',
  }
  return `${firstOf(userAgent, browsers) ?? 'Another browser'} on ${firstOf(userAgent, systems) ?? 'an unknown system'}`
}
