import type { IncomingHttpHeaders } from 'node:http'

const COOKIE = 'malipo_led'
const KEPT_DAYS = 90

/** Whether this browser was redirected from the final page to the merchant before. */
export const hasBeenLed = ({ cookie = '' }: IncomingHttpHeaders): boolean =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=1(?:;|$)`).test(cookie)

/** Valid for this page only. */
export const setLed = (path: string, secure: boolean): string =>
  `${COOKIE}=1; Path=${path}; Max-Age=${KEPT_DAYS * 86_400}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
