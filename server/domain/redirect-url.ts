import { Refusal } from './refusal.ts'

/** What the redirect adds to the query (contract: CustomerRedirect). */
const PARAMETERS = [
  'id',
  'event',
  'merchant_reference',
  'internal_reference',
  'transaction_type',
  'transaction_status',
  'status_message',
  'rsa_key_id',
  'rsa_signature',
  'hmac_signature',
] as const
export type RedirectParameter = (typeof PARAMETERS)[number]

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Checks a redirect target for the customer's browser: https without credentials and without a parameter
 * that the redirect adds, which could be read in two ways; in sandbox mode also http to the developer's own machine.
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
  const taken = PARAMETERS.find((name) => url.searchParams.has(name))
  if (taken !== undefined) throw refused(`must not have the parameter (${taken}): the redirect adds it`)
}

/**
 * The URL as it was written, except for a host in another script: that becomes the form that every program reads (RFC
 * 5890, `xn--…`).
 */
export const withAsciiHost = (url: string): string =>
  url.replace(/^[a-z]+:\/\/[^/?#]*[^\x00-\x7f][^/?#]*/i, (written) =>
    URL.canParse(written) ? new URL(written).origin : written,
  )

/** More than the shops of any merchant; each request with a redirect_url checks all of them. */
const REDIRECT_HOSTS_MAX = 50

const WILDCARD = '*.'
/** A host name or an address as in a URL, and nothing else: no port, path or user. */
const BARE = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\%[\]*]+)$/i

/**
 * Parses a merchant's list of hosts into its stored form: lower case, IDN in ASCII, without a trailing dot.
 * @param text separated by commas: `shop.example`, or `*.shop.example` for every name below it (not itself); empty for
 *   any host
 * @throws RangeError that names the first invalid host
 */
export function parseRedirectHosts(text: string): readonly string[] {
  const given = text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
  if (given.length === 0 && text !== '') throw new RangeError('It names no host; an empty text is for any host.')
  if (given.length > REDIRECT_HOSTS_MAX) throw new RangeError(`There may be ${REDIRECT_HOSTS_MAX} hosts at most.`)
  return [...new Set(given.map(parseHost))]
}

function parseHost(text: string): string {
  const isWildcard = text.startsWith(WILDCARD)
  const name = isWildcard ? text.slice(WILDCARD.length) : text
  // With a label in front, an IP address is no longer a valid URL host: a wildcard is allowed before names only.
  const host = BARE.test(name) ? hostOf(`https://${isWildcard ? 'any.' : ''}${name}/`) : undefined
  const isTooWide = isWildcard && host !== undefined && host.split('.').length < 3
  if (host === undefined || isTooWide)
    throw new RangeError(
      `It must be hosts such as shop.example or *.shop.example, with commas between them and without ports; ${text} is none.`,
    )
  return isWildcard ? `${WILDCARD}${host.slice('any.'.length)}` : host
}

/** Normalised like in a browser: lower case, IDN in ASCII. A trailing dot means the same host. */
function hostOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '')
  return host === undefined || host.split('.').includes('') ? undefined : host
}

const fits = (host: string, pattern: string): boolean =>
  pattern.startsWith(WILDCARD) ? host.endsWith(pattern.slice(1)) : host === pattern

/**
 * Checks that the customer may be sent there; the port does not matter.
 * @param hosts as `parseRedirectHosts` gives them; absent: any
 * @throws Refusal `invalid_url` naming the host
 */
export function checkRedirectHost(url: string, hosts: readonly string[] | undefined): void {
  if (hosts === undefined) return
  const host = hostOf(url)
  if (host === undefined || !hosts.some((pattern) => fits(host, pattern)))
    throw new Refusal('invalid_url', `redirect_url leads to a host (${host ?? ''}) that your account does not allow`)
}
