import { isIP, isIPv6, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request, type Dispatcher } from 'undici'
import { boundedSystemLookup, dnsLookup, type Lookup } from './resolve-names.ts'

/** Which destinations are allowed. Sandbox mode also allows http and private addresses: developers' own machines. */
export interface OutboundPolicy {
  readonly allowHttp: boolean
  readonly allowPrivateAddresses: boolean
  /**
   * Also allows private networks (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7), for an operator behind a VPN.
   * Loopback, link-local addresses and cloud metadata services stay blocked.
   */
  readonly allowPrivateNetworks?: true
}

export const SANDBOX_POLICY: OutboundPolicy = { allowHttp: true, allowPrivateAddresses: true }
export const LIVE_POLICY: OutboundPolicy = { allowHttp: false, allowPrivateAddresses: false }

/** The guard blocked a request; the message names the rule and goes into the merchant's attempt log. */
export class OutboundRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OutboundRefused'
  }
}

const URL_MAX = 2048

/**
 * The URL parser silently drops or repairs these (a tab inside `https`, a backslash for a slash), and invisible
 * characters make one URL look like another. The two joiners occur in names in Persian and Indic scripts.
 */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Z}\\]|(?![\u200c\u200d])\p{Cf}/u
const USER_INFO = /^[^/]*\/\/[^/?#]*@/

/**
 * Checks a merchant's URL at registration and again before each use.
 * @throws OutboundRefused with what is wrong with it
 */
export function checkOutboundUrl(text: string, policy: OutboundPolicy): URL {
  if (text.length > URL_MAX) throw new OutboundRefused(`The URL is longer than ${URL_MAX} characters`)
  if (UNREADABLE.test(text))
    throw new OutboundRefused(
      'The URL must not contain spaces, backslashes, control characters or invisible characters',
    )
  const url = URL.parse(text)
  if (!url) throw new OutboundRefused('The URL cannot be read')
  // The parser also accepts `https:shop.example` and `https:///shop.example`.
  if (!/^https?:\/\/[^/]/i.test(text)) throw new OutboundRefused(schemeFault(policy))
  checkTarget(url, policy)
  if (USER_INFO.test(text)) throw new OutboundRefused('The URL must not carry a user name or password')
  return url
}

type Target = Readonly<Pick<URL, 'protocol' | 'hostname' | 'port'>>

/** Checks the target itself, before any name is resolved. */
function checkTarget({ protocol, hostname, port }: Target, policy: OutboundPolicy): void {
  if (protocol !== 'https:' && !(policy.allowHttp && protocol === 'http:'))
    throw new OutboundRefused(schemeFault(policy))
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) checkAddress(literal, policy)
  else checkName(hostname, policy)
  if (port !== '' && PORTS_REFUSED.has(Number(port))) throw new OutboundRefused(`Port ${port} is not for HTTP`)
}

const schemeFault = ({ allowHttp }: OutboundPolicy): string =>
  `The URL must begin with https://${allowHttp ? ' or http://' : ''}`

/**
 * Any port may serve callbacks, except 0 and those that https://fetch.spec.whatwg.org/#port-blocking forbids: the
 * servers behind them (mail, FTP, IRC …) read line by line and would execute parts of our request as commands.
 */
const PORTS_REFUSED: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const NAME_MAX = 253
const LABEL = /^[a-z0-9_-]{1,63}$/
/**
 * Top-level names that do not exist in the public DNS, by RFC 6761, 6762, 7686, 8375 and ICANN's reservation of
 * `internal`.
 */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa|onion|invalid)$/

const NAME_OF_NO_NETWORK = /(^|\.)(localhost|onion|invalid)$/

function checkName(hostname: string, policy: OutboundPolicy): void {
  const name = hostname.replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > NAME_MAX || !labels.every((label) => LABEL.test(label)))
    throw new OutboundRefused('The host is not a valid name')
  if (policy.allowPrivateAddresses) return
  if (policy.allowPrivateNetworks) {
    if (NAME_OF_NO_NETWORK.test(name)) throw new OutboundRefused('The host is this machine, or no name of a network')
    return
  }
  // A single-label name resolves only through the search list of our own network.
  if (labels.length === 1 || PRIVATE_NAME.test(name)) throw new OutboundRefused('The host is not a public name')
}

function checkAddress(address: string, policy: OutboundPolicy): void {
  if (policy.allowPrivateAddresses || isPublic(address)) return
  if (!policy.allowPrivateNetworks) throw new OutboundRefused('The host is not a public address')
  if (!isInPrivateNetwork(address))
    throw new OutboundRefused('The host is neither a public address nor one of a private network')
}

/**
 * All IPv6 space that IANA has allocated for the internet; ipaddr.js counts `::127.0.0.1` and the rest of the IPv6
 * space as unicast.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's metadata address: it returns each virtual machine's own secrets, although it looks public. */
const AZURE_PLATFORM = '168.63.129.16'

/**
 * Allows only globally routable unicast addresses. IPv4 embedded in IPv6 is unwrapped first; the translation ranges
 * (NAT64, 6to4, Teredo) are refused.
 */
function isPublic(address: string): boolean {
  const parsed = parsedAddress(address)
  if (parsed?.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_IPV6) : parsed.toString() !== AZURE_PLATFORM
}

/** Cloud metadata services inside the private address ranges: Amazon's (fd00:ec2::254) and Google's (fd20:ce::254). */
const METADATA = ['fd00:ec2::/32', 'fd20:ce::/32'].map((range) => ipaddr.IPv6.parseCIDR(range))
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal'])

function isInPrivateNetwork(address: string): boolean {
  const parsed = parsedAddress(address)
  if (!parsed || !PRIVATE_RANGES.has(parsed.range())) return false
  return !(parsed instanceof ipaddr.IPv6 && METADATA.some((range) => parsed.match(range)))
}

function parsedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js reads `::8.8.8.8` as 8.8.8.8, the system as ::808:808. Both read only the URL parser's form without dots
  // in the same way.
  const plain = isIPv6(address) ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : address
  return plain === undefined || !isIP(plain) ? undefined : ipaddr.process(plain)
}

const CONNECT_TIMEOUT_MS = 10_000
const CONNECTIONS_PER_HOST = 128
const REPLY_HEADERS_MAX_BYTES = 16 * 1024

/** Access to the network. Tests insert a fake between the guard and the internet. */
export interface OutboundNetwork {
  readonly lookup: Lookup
  readonly buildConnector: typeof buildConnector
}

/**
 * Names that third parties choose are resolved by the name servers directly: they must not occupy our threads or match
 * our own hosts file.
 */
export const INTERNET: OutboundNetwork = { lookup: dnsLookup(), buildConnector }
/**
 * Developers use names of their own machine and container network. One instance for the whole process, because the
 * thread pool is shared.
 */
const OWN_NETWORK: OutboundNetwork = { lookup: boundedSystemLookup(), buildConnector }

/** Options for hosts that third parties do not choose. */
interface AgentSettings {
  readonly connectTimeoutMs?: number
  readonly connectionsPerHost?: number
  /** PEM: trusted instead of the public authorities. */
  readonly ca?: string
}

/**
 * Opens connections to third-party servers. The guard resolves the name itself, and the socket connects only to
 * addresses that were checked, so a name that changes between check and connect (DNS rebinding) gains nothing. If one
 * of several addresses is forbidden, all are refused.
 */
export function guardedAgent(
  policy: OutboundPolicy,
  network: OutboundNetwork = policy.allowPrivateAddresses || policy.allowPrivateNetworks ? OWN_NETWORK : INTERNET,
  { connectTimeoutMs = CONNECT_TIMEOUT_MS, connectionsPerHost = CONNECTIONS_PER_HOST, ca }: AgentSettings = {},
): Agent {
  const connector = network.buildConnector({
    timeout: connectTimeoutMs,
    lookup: checkedLookup(policy, network.lookup),
    allowH2: false, // HTTP/2 would have other limits on headers and connections
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    ...(ca !== undefined && { ca }),
  }) as (...args: Parameters<buildConnector.connector>) => Socket | undefined // it returns the socket, although its type does not say so
  const connecting = new Set<Socket>()
  const agent = new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: REPLY_HEADERS_MAX_BYTES,
    connect: (options, callback) => {
      try {
        checkTarget(options, policy) // an IP address in the URL needs no lookup
        const socket = connector(options, (...result) => {
          if (socket) connecting.delete(socket)
          callback(...result)
        })
        if (socket) connecting.add(socket)
      } catch (error) {
        callback(error as Error, null)
      }
    },
  })
  // undici does not track sockets that are still connecting: against a server that never ends the TLS handshake they
  // would outlive the agent.
  const { destroy } = agent
  return Object.assign(agent, {
    destroy(...args: Parameters<Agent['destroy']>) {
      for (const socket of connecting) socket.destroy()
      return destroy.apply(agent, args)
    },
  })
}

/** Resolves names for the socket. With several addresses Node tries one family after the other, and each is checked. */
const checkedLookup =
  (policy: OutboundPolicy, lookup: OutboundNetwork['lookup']): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const [first] = addresses
      if (!first) return callback(Object.assign(new Error('no addresses'), { code: 'ENOTFOUND' }), '', 0)
      try {
        for (const { address } of addresses) checkAddress(address, policy)
      } catch (refused) {
        return callback(refused as Error, '', 0)
      }
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

/**
 * Sends one request that ends within `timeoutMs` whatever the server does, including the time to read its reply.
 * undici listens to the signal only once a request has a connection: a request that still waits for one is abandoned
 * here, and undici drops it when its turn comes.
 */
export function requestWithin(
  timeoutMs: number,
  url: string | URL,
  options: NonNullable<Parameters<typeof request>[1]>,
): Promise<Dispatcher.ResponseData<unknown>> {
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    request(url, { ...options, signal, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', leave))
  })
}
