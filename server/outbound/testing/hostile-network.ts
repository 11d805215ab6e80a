import { createSocket } from 'node:dgram'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, isIP, type LookupFunction, type Server } from 'node:net'
import { buildConnector } from 'undici'
import { listening } from '../../verification/testing/listening.ts'
import type { OutboundNetwork } from '../outbound-guard.ts'

/** For tests of requests to third parties: nothing here reaches beyond loopback. */

export interface HostileServer {
  readonly port: number
  readonly connections: () => Promise<number>
  readonly stop: () => Promise<void>
}

export async function listen(server: Server): Promise<HostileServer> {
  const { port, close } = await listening(server)
  return {
    port,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    stop: close,
  }
}

export const listenHttp = (listener: RequestListener): Promise<HostileServer> => listen(createHttpServer(listener))

/** A DNS in which each name returns its answers in turn, the last one repeatedly. */
export const answering = (answersOf: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const requested: string[] = []
  const lookup: OutboundNetwork['lookup'] = (hostname, _options, callback) => {
    const answers = answersOf[hostname]
    const answer = answers?.[Math.min(requested.filter((name) => name === hostname).length, answers.length - 1)]
    requested.push(hostname)
    setImmediate(() =>
      answer
        ? callback(
            null,
            answer.map((address) => ({ address, family: isIP(address) })),
          )
        : callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    )
  }
  return { asked: requested, lookup }
}

type Connectable = Parameters<typeof buildConnector>[0] & { lookup: LookupFunction }

/**
 * A network on which every address is the loopback server at `port`. `dialled` lists the addresses that sockets would
 * have connected to: for a name it calls the guard's own lookup exactly as node:net does. https runs without TLS, so
 * that the test can play any address.
 */
export function playedInternet(
  lookup: OutboundNetwork['lookup'],
  port: number,
): OutboundNetwork & { readonly dialled: string[] } {
  const dialled: string[] = []
  return {
    dialled,
    lookup,
    buildConnector: (options) => (target, callback) => {
      const dial = (addresses: readonly string[]) => {
        dialled.push(...addresses)
        const socket = connect(port, '127.0.0.1', () => callback(null, socket)).on('error', () => {})
      }
      if (isIP(target.hostname)) return dial([target.hostname])
      const { lookup: guarded } = options as Connectable
      guarded(target.hostname, { all: true }, (error, addresses) => {
        if (error) callback(error, null)
        else dial((addresses as { address: string }[]).map(({ address }) => address))
      })
    },
  }
}

/** Like `playedInternet`, for http and through node:net itself: it replaces only the result of the guard's lookup. */
export function redirectedInternet(
  lookup: OutboundNetwork['lookup'],
  port: number,
): OutboundNetwork & { readonly dialled: string[] } {
  const dialled: string[] = []
  return {
    dialled,
    lookup,
    buildConnector: (options) => {
      const { lookup: guarded } = options as Connectable
      const toLoopback: LookupFunction = (hostname, lookupOptions, callback) =>
        guarded(hostname, lookupOptions, (error, addresses) => {
          if (error) return callback(error, '', 0)
          dialled.push(...(addresses as { address: string }[]).map(({ address }) => address))
          callback(null, [{ address: '127.0.0.1', family: 4 }])
        })
      const connector = buildConnector({ ...options, lookup: toLoopback })
      return (target, callback) => connector({ ...target, port: String(port) }, callback)
    },
  }
}

/**
 * A name server's records for a name; for an unknown name: NXDOMAIN. `silentOn` lists the record types for which it
 * never answers.
 */
export interface Zone {
  readonly [name: string]: {
    readonly a?: readonly string[]
    readonly aaaa?: readonly string[]
    readonly alias?: string
    readonly status?: 'SERVFAIL' | 'REFUSED'
    readonly silentOn?: readonly ('A' | 'AAAA')[]
  }
}

const STATUS_CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const
const TYPE_CODES = { A: 1, CNAME: 5, AAAA: 28 } as const
const HEADER_BYTES = 12

/**
 * A real name server (RFC 1035, UDP, one question a message) on loopback. `asked` lists the questions in order of
 * arrival: `A shop.example`.
 */
export async function listenDns(
  zone: Zone,
): Promise<{ readonly address: string; readonly queried: string[]; readonly stop: () => Promise<void> }> {
  const socket = createSocket('udp4')
  const queried: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message)
    queried.push(`${type} ${name}`)
    const entry = zone[name]
    if (entry?.silentOn?.includes(type)) return
    const alias = entry?.alias === undefined ? [] : [record('CNAME', nameBytes(entry.alias))]
    const addresses = (type === 'A' ? entry?.a : entry?.aaaa) ?? []
    const answers = [
      ...alias,
      ...addresses.map((of) => record(type, addressBytes(of), alias.length > 0 ? end + RECORD_BYTES : HEADER_BYTES)),
    ]
    const header = Buffer.from(message.subarray(0, HEADER_BYTES))
    header.writeUInt16BE(0x8180 | STATUS_CODES[entry === undefined ? 'NXDOMAIN' : (entry.status ?? 'NOERROR')], 2)
    header.writeUInt16BE(entry?.status === undefined ? answers.length : 0, 6)
    header.writeUInt16BE(0, 10) // no additional records: the client's own EDNS record is not repeated
    socket.send(
      Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...(entry?.status === undefined ? answers : [])]),
      port,
      address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queried,
    stop: () => new Promise((resolve) => socket.close(resolve)),
  }
}

function questionOf(message: Buffer): { readonly name: string; readonly type: 'A' | 'AAAA'; readonly end: number } {
  const labels: string[] = []
  let place = HEADER_BYTES
  for (let length = message.readUInt8(place); length > 0; length = message.readUInt8(place)) {
    labels.push(message.toString('latin1', place + 1, place + 1 + length))
    place += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(place + 1) === TYPE_CODES.AAAA ? 'AAAA' : 'A',
    end: place + 5,
  }
}

/** Pointer to the name, type, class, TTL, length: the header before a record's data. */
const RECORD_BYTES = 12

function record(type: keyof typeof TYPE_CODES, data: Buffer, nameAt = HEADER_BYTES): Buffer {
  const head = Buffer.alloc(RECORD_BYTES)
  head.writeUInt16BE(0xc000 | nameAt, 0)
  head.writeUInt16BE(TYPE_CODES[type], 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(3_600, 6) // an hour: a resolver that caches would keep this answer
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const nameBytes = (name: string): Buffer =>
  Buffer.from([...name.split('.').map((label) => String.fromCharCode(label.length) + label), '\0'].join(''), 'latin1')

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(head), groups(tail)]
  return Buffer.from(
    [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after].flatMap((group) => [
      group >> 8,
      group & 255,
    ]),
  )
}
