import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** Where callbacks may go. Sandbox mode also allows http and private addresses: developers' own machines. */
export interface OutboundPolicy {
  readonly allowHttp: boolean
  readonly allowPrivateAddresses: boolean
}

export const SANDBOX_POLICY: OutboundPolicy = { allowHttp: true, allowPrivateAddresses: true }
export const LIVE_POLICY: OutboundPolicy = { allowHttp: false, allowPrivateAddresses: false }

export class OutboundRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OutboundRefused'
  }
}

const URL_MAX = 2048

/** Checks a merchant's URL when it is registered and again before each use. @throws OutboundRefused with what is wrong with it */
export function checkOutboundUrl(text: string, policy: OutboundPolicy): URL {
  if (text.length > URL_MAX) throw new OutboundRefused(`The URL is longer than ${URL_MAX} characters`)
  const url = URL.parse(text)
  if (!url) throw new OutboundRefused('The URL cannot be read')
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) throw new OutboundRefused(`The URL must begin with https://${policy.allowHttp ? ' or http://' : ''}`)
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('The URL must not carry a user name or password')
  checkLiteral(url.hostname, policy)
  return url
}

/** Only globally routable unicast addresses: IPv4 hidden in IPv6 is unwrapped first, and the translation ranges (NAT64, 6to4, Teredo) are refused. */
function checkAddress(address: string, policy: OutboundPolicy): void {
  if (policy.allowPrivateAddresses) return
  if (ipaddr.process(address).range() !== 'unicast') throw new OutboundRefused('The host is not a public address')
}

const CONNECT_TIMEOUT_MS = 10_000
const CONNECTIONS_PER_HOST = 16

/**
 * Connections to merchants' servers. The name is resolved here, and the socket goes only to addresses that were checked,
 * so a name that changes between check and connect (DNS rebinding) gains nothing. One forbidden address of several refuses all.
 */
export function guardedAgent(policy: OutboundPolicy): Agent {
  const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(policy) })
  return new Agent({
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    connect: (options, callback) => {
      try {
        checkLiteral(options.hostname, policy) // an address in the URL is never looked up
        connector(options, callback)
      } catch (error) {
        callback(error as Error, null)
      }
    },
  })
}

function checkLiteral(hostname: string, policy: OutboundPolicy): void {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) checkAddress(literal, policy)
}

/** Resolves for the socket itself; with several addresses Node tries one family after the other, each of them checked. */
const checkedLookup = (policy: OutboundPolicy): LookupFunction => (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    try {
      for (const { address } of addresses) checkAddress(address, policy)
    } catch (refused) {
      return callback(refused as Error, '', 0)
    }
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    callback(null, first!.address, first!.family)
  })
}
