import { isIP } from 'node:net'
import type { Config } from './config.ts'

// A foreign page can point its own host name at our address (DNS rebinding). Its requests then look like those of our
// own pages, except for the Host header.

/**
 * @returns whether a request with this Host header used a name of ours; `localAddress` is the address that it
 *   arrived at
 */
type IsOwnHost = (host: string | undefined, localAddress: string | undefined) => boolean

const HOST = /^(?<name>\[[0-9A-Fa-f:.]+\]|[^:[\]\s]+)(?::\d{1,5})?$/
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1)$/
/** Wildcard addresses, which name no host. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::']

/**
 * Accepts loopback, the configured names, and the exact address that a request arrived at: that one is not a name that
 * anybody could point elsewhere. A request without a Host header does not come from a browser.
 */
export function ownHosts({ host, metricsHost, publicBaseUrl, paymentPageBaseUrl, allowedHosts }: Config): IsOwnHost {
  const ofUrls = [publicBaseUrl, paymentPageBaseUrl].flatMap((url) =>
    url === undefined ? [] : plain(new URL(url).hostname),
  )
  const names = new Set(
    [host, metricsHost, ...allowedHosts]
      .map(plain)
      .filter((name) => !EVERYWHERE.includes(name))
      .concat(ofUrls),
  )
  return (given, localAddress) => {
    if (given === undefined) return true
    const name = plain(HOST.exec(given)?.groups?.['name'] ?? '')
    if (LOOPBACK.test(name) || names.has(name)) return true
    return isIP(name) !== 0 && localAddress !== undefined && name === plain(localAddress)
  }
}

/** In lower case, without brackets, the final dot or the IPv4-mapped form of an IPv4 address. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '')
    .replace(/\.$/, '')
