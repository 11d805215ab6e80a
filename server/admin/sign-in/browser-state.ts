import type { IncomingHttpHeaders } from 'node:http'
import type { Audience } from '../../domain/people/audience.ts'
import { isSameBytes } from '../../domain/same-bytes.ts'
import type { Digests } from '../../storage/digests.ts'
import type { Person } from '../queries/person.ts'

// The three cookies of a browser. None is readable by a script, and over https none is sent to or set by another host
// (`__Host-`).

export const COOKIES = {
  /** Strict: no request from another site carries the session. */
  session: { attributes: 'SameSite=Strict' },
  /** For form tokens, and for who comes back from the identity provider, which is another site. */
  form: { attributes: 'SameSite=Lax' },
  /** Remembers that a person signed in here before (attempts.ts). */
  device: { attributes: `SameSite=Strict; Max-Age=${180 * 86_400}` },
} as const

type CookieName = keyof typeof COOKIES

/** Whose cookies they are. */
export interface CookieScope {
  readonly isSecure: boolean
  readonly audience: Audience
}

const fullName = (cookie: CookieName, { isSecure, audience }: CookieScope): string =>
  `${isSecure ? '__Host-' : ''}malipo_${audience === 'staff' ? '' : 'merchant_'}${cookie}`

/** The cookies of a request; of several with one name the first. */
export function readCookie(
  { cookie = '' }: IncomingHttpHeaders,
  name: CookieName,
  scope: CookieScope,
): string | undefined {
  const prefix = `${fullName(name, scope)}=`
  const found = cookie.split(';').find((part) => part.trimStart().startsWith(prefix))
  return found?.trimStart().slice(prefix.length) || undefined
}

/** A `Set-Cookie` header. @param value undefined removes the cookie */
export const cookieHeader = (name: CookieName, value: string | undefined, scope: CookieScope): string =>
  [
    `${fullName(name, scope)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    ...(scope.isSecure ? ['Secure'] : []),
    COOKIES[name].attributes,
    ...(value === undefined ? ['Max-Age=0'] : []),
  ].join('; ')

/** The token of every form of a browser, bound to its session: another sign-in makes old forms useless. */
export const formToken = (digests: Digests, formCookie: string, sessionId: bigint | undefined): string =>
  digests('sign-in form', `${formCookie}.${sessionId ?? ''}`).toString('base64url')

/** Compared in constant time. */
export const isFormToken = (expected: string, given: string | undefined): boolean =>
  isSameBytes(Buffer.from(given ?? ''), Buffer.from(expected))

/**
 * Whether the browser says that a request comes from one of our own pages. Browsers send `Origin` with every POST;
 * ours is never `null`, because the pages send it.
 */
export const isFromHere = ({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, baseUrl: string): boolean =>
  (origin === undefined || origin === baseUrl) && (site === undefined || site === 'same-origin')

/** A browser's own id, signed for a person who signed in with it. */
export const deviceCookie = (digests: Digests, id: string, person: Pick<Person, 'id'>): string =>
  `${id}.${deviceProof(digests, id, person)}`

const deviceProof = (digests: Digests, id: string, person: Pick<Person, 'id'>): string =>
  digests('sign-in device', `${id}.${person.id}`).toString('base64url')

/** The id in a browser's cookie, if it was signed for this person. */
export function deviceOf(digests: Digests, cookie: string | undefined, person: Pick<Person, 'id'>): string | undefined {
  const [id = '', proof = ''] = (cookie ?? '').split('.')
  return isSameBytes(Buffer.from(proof), Buffer.from(deviceProof(digests, id, person))) ? id : undefined
}
