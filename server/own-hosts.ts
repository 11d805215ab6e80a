import { isIP } from 'node:net'
import type { Config } from './config.ts'

// A page of a stranger can give its own name our address (DNS rebinding); its requests then look like those of our own
// pages, but for the Host header.

/**
 * @returns whether a request with this Host header came to us under a name of ours; `localAddress` is the one it
 *   arrived at
 */
export type IsOwnHost = (host: string | undefined, localAddress: string | undefined) => boolean

const HOST = /^(?<name>\[[0-9A-Fa-f:.]+\]|[^:[\]\s]+)(?::\d{1,5})?$/
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1)$/
/** Says where to listen, and names nobody. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::']

/**
 * Loopback, the names of the configuration, and the very address that a request arrived at: that one is no name that
 * anybody could point elsewhere. A request without a Host header comes from no browser.
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

/** In lower case, without the brackets, the final dot or the IPv6 form of an IPv4 address. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '')
    .replace(/\.$/, '')
