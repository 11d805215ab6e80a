import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSameBytes } from '../domain/same-bytes.ts'

const COOKIE = 'malipo_pay'
const COOKIE_BYTES = 16
// Fixed length: the concatenation of cookie and reference is unambiguous.
const COOKIE_IN_HEADER = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{22})(?:;|$)`)

/** Random, in characters that are valid in a cookie. */
export const newCookieValue = (random: { bytes(size: number): Uint8Array }): string =>
  Buffer.from(random.bytes(COOKIE_BYTES)).toString('base64url')

/** This page's cookie among all cookies of the request. */
export const cookieOf = ({ cookie = '' }: IncomingHttpHeaders): string | undefined => COOKIE_IN_HEADER.exec(cookie)?.[1]

/**
 * `Lax`, not `Strict`: a customer who comes from the shop again must keep the cookie that matches the forms in
 * another tab.
 */
export const setCookie = (value: string, path: string, secure: boolean): string =>
  `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The CSRF token of a form: only the page that set this browser's cookie for this reference can have created it. */
export const formToken = (key: Uint8Array, cookie: string, reference: string): string =>
  createHmac('sha256', key).update(`${cookie}.${reference}`).digest('base64url')

/** Whether the token was created for this cookie and reference; compared in constant time. */
export function isFormToken(
  key: Uint8Array,
  cookie: string | undefined,
  reference: string,
  token: string | null,
): boolean {
  if (cookie === undefined || token === null) return false
  return isSameBytes(Buffer.from(token), Buffer.from(formToken(key, cookie, reference)))
}

/**
 * Whether the browser reports that a form came from another origin. `Origin: null` reveals nothing: browsers send it
 * for every form of a page with `Referrer-Policy: no-referrer`, which ours have. For browsers that send neither header
 * the token alone decides.
 * @param pageOrigin our public origin, where a proxy changes the Host header
 */
export function isForeign(
  { 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders,
  pageOrigin: string | undefined,
): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined || origin === 'null') return false
  return origin !== pageOrigin && URL.parse(origin)?.host !== host
}
