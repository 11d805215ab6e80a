import { Refusal } from './refusal.ts'

/** More than any merchant has shops; each request with a redirect_url looks at all of them. */
export const REDIRECT_HOSTS_MAX = 50

const WILDCARD = '*.'
/** A name or an address as it stands in a URL, and nothing around it: no port, path or user. */
const BARE = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\%[\]*]+)$/i

/**
 * A merchant's list of hosts as it is kept: in lower case, IDN in ASCII, without the dot at the end.
 * @param text with commas between them: `shop.example`, or `*.shop.example` for every name below it (not itself);
 *   empty for any host
 * @throws RangeError that names the one that is no host
 */
export function parseRedirectHosts(text: string): readonly string[] {
  const given = text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
  if (given.length > REDIRECT_HOSTS_MAX) throw new RangeError(`There may be ${REDIRECT_HOSTS_MAX} hosts at most.`)
  return [...new Set(given.map(parseHost))]
}

function parseHost(text: string): string {
  const isWildcard = text.startsWith(WILDCARD)
  const name = isWildcard ? text.slice(WILDCARD.length) : text
  // With a label in front, what would be an address is no URL any more: a wildcard stands before names only.
  const host = BARE.test(name) ? hostOf(`https://${isWildcard ? 'any.' : ''}${name}/`) : undefined
  const isTooWide = isWildcard && host !== undefined && host.split('.').length < 3
  if (host === undefined || isTooWide)
    throw new RangeError(
      `It must be hosts such as shop.example or *.shop.example, with commas between them and without ports; ${text} is none.`,
    )
  return isWildcard ? `${WILDCARD}${host.slice('any.'.length)}` : host
}

/** As a browser reads it: lower case, IDN in ASCII. A dot at the end means the same host. */
function hostOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '')
  return host === undefined || host.split('.').includes('') ? undefined : host
}

const fits = (host: string, pattern: string): boolean =>
  pattern.startsWith(WILDCARD) ? host.endsWith(pattern.slice(1)) : host === pattern

/**
 * Whether the customer may be sent there; its port does not matter.
 * @param hosts as `parseRedirectHosts` gives them; absent: any
 * @throws Refusal `invalid_url` naming the host
 */
export function checkRedirectHost(url: string, hosts: readonly string[] | undefined): void {
  if (hosts === undefined) return
  const host = hostOf(url)
  if (host === undefined || !hosts.some((pattern) => fits(host, pattern)))
    throw new Refusal('invalid_url', `redirect_url leads to a host (${host ?? ''}) that your account does not allow`)
}
