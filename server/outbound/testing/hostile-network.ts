import { createSocket } from 'node:dgram'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, isIP, type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { OutboundNetwork } from '../outbound-guard.ts'

/** For tests of what goes out to strangers: nothing here reaches beyond loopback. */

export interface Listening {
  readonly port: number
  readonly connections: () => Promise<number>
  readonly stop: () => Promise<void>
}

export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export const listenHttp = (listener: RequestListener): Promise<Listening> => listen(createHttpServer(listener))

/** A DNS of which each name gives its answers in turn, the last one again and again. */
export const answering = (answersOf: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const asked: string[] = []
  const lookup: OutboundNetwork['lookup'] = (hostname, _options, callback) => {
    const answers = answersOf[hostname]
    const answer = answers?.[Math.min(asked.filter((name) => name === hostname).length, answers.length - 1)]
    asked.push(hostname)
    setImmediate(() =>
      answer
        ? callback(
            null,
            answer.map((address) => ({ address, family: isIP(address) })),
          )
        : callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    )
  }
  return { asked, lookup }
}

type Connectable = Parameters<typeof buildConnector>[0] & { lookup: LookupFunction }

/**
 * A network on which every address is the loopback server at `port`. `dialled` lists the addresses that sockets would
 * have gone to: for a name it asks the guard's own lookup exactly as node:net does. https goes out without TLS, so that
 * any address can be played.
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

/**
 * As `playedInternet`, for http and through node:net itself: only what the guard's lookup gave is replaced, after it
 * gave it.
 */
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
 * What a name server says of a name; of a name that it does not know: NXDOMAIN. `silentOn` lists the record types for
 * which it never answers.
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
 * A real name server (RFC 1035, UDP, one question a message) on loopback. `asked` lists the questions as they came: `A
 * shop.example`.
 */
export async function listenDns(
  zone: Zone,
): Promise<{ readonly address: string; readonly asked: string[]; readonly stop: () => Promise<void> }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message)
    asked.push(`${type} ${name}`)
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
    header.writeUInt16BE(0, 10) // no additional records: the asker's own EDNS record is not repeated
    socket.send(
      Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...(entry?.status === undefined ? answers : [])]),
      port,
      address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
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

/** Pointer to the name, type, class, time to live, length: what comes before a record's data. */
const RECORD_BYTES = 12

function record(type: keyof typeof TYPE_CODES, data: Buffer, nameAt = HEADER_BYTES): Buffer {
  const head = Buffer.alloc(RECORD_BYTES)
  head.writeUInt16BE(0xc000 | nameAt, 0)
  head.writeUInt16BE(TYPE_CODES[type], 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(3_600, 6) // an hour: whoever keeps answers would keep this one
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
