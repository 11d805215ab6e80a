import { Refusal } from './refusal.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Checks a redirect target for the customer's browser: https without credentials; in sandbox mode also http to the
 * developer's own machine.
 * @throws Refusal `invalid_url`
 */
export function checkRedirectUrl(text: string, allowLoopback: boolean): void {
  // The wording of the contract's schema, so that nobody has to know two.
  const refused = (reason: string) => new Refusal('invalid_url', `redirect_url ${reason}`)
  const url = URL.parse(text)
  const isLocal = allowLoopback && url?.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (!/^https:\/\//i.test(text) && !isLocal) throw refused('must be an https URL')
  if (!url) throw refused('has a host or a port that is not valid')
  if (url.username !== '' || url.password !== '') throw refused('must not contain a user name or a password')
}

/**
 * The URL as it was written, except for a host in another script: that becomes the form that every program reads (RFC
 * 5890, `xn--…`).
 */
export const withAsciiHost = (url: string): string =>
  url.replace(/^[a-z]+:\/\/[^/?#]*[^\x00-\x7f][^/?#]*/i, (written) =>
    URL.canParse(written) ? new URL(written).origin : written,
  )
