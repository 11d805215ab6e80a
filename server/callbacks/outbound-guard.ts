import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
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
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) checkAddress(literal, policy)
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
 * Connections to merchants' servers. The name is resolved here and the socket goes to exactly the address that was checked,
 * so a name that changes between check and connect (DNS rebinding) gains nothing. One forbidden address of several refuses all.
 */
export function guardedAgent(policy: OutboundPolicy): Agent {
  const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  return new Agent({
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    connect: (options, callback) => {
      resolveChecked(options.hostname, policy).then(
        (address) => connector({ ...options, hostname: address, servername: options.servername ?? options.hostname }, callback),
        (error: Error) => callback(error, null))
    },
  })
}

async function resolveChecked(hostname: string, policy: OutboundPolicy): Promise<string> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal) ? [literal] : (await lookup(literal, { all: true })).map(({ address }) => address)
  for (const address of addresses) checkAddress(address, policy)
  const [first] = addresses
  if (first === undefined) throw new OutboundRefused('The host has no address')
  return first
}
