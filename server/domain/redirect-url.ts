import { Refusal } from './refusal.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Where the customer's browser may be sent: https without credentials in it; in sandbox mode also http to the
 * developer's own machine.
 * @throws Refusal `invalid_url`
 */
export function checkRedirectUrl(text: string, allowLoopback: boolean): void {
  const url = URL.parse(text)
  const secure = url?.protocol === 'https:'
  const local = allowLoopback && url?.protocol === 'http:' && LOOPBACK.test(url.hostname)
  const isBare = url?.username === '' && url.password === ''
  // In the contract's words, which are those of its schema too: nobody has to know two.
  if (!(secure || local) || !isBare) throw new Refusal('invalid_url', 'redirect_url must be an https URL')
}

/**
 * The URL as it was written, but for a host in another alphabet: that stands in the form that every program reads (RFC
 * 5890, `xn--…`).
 */
export const withAsciiHost = (url: string): string =>
  url.replace(/^[a-z]+:\/\/[^/?#]*[^\x00-\x7f][^/?#]*/i, (written) =>
    URL.canParse(written) ? new URL(written).origin : written,
  )
