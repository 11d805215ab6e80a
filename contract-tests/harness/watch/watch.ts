import type { Contract } from '../../../openapi/reading/contract.ts'
import type { Direction } from '../coverage/exchange.ts'
import { curlLine, type Redact } from '../curl.ts'
import { beginPart, type Finding, type PartResult } from '../part.ts'
import type { Exchange } from '../proxy.ts'
import type { ExchangeJudges } from './judges.ts'
import { hiding, secretsOf, type Account } from './secrets.ts'
import { createReader, type Fault, type ObservedExchange } from './seen.ts'

/** The row of its findings in the results. */
export const WATCH = 'everywhere'

/** The first is the merchant that is tested, the others are others. */
export type Accounts = readonly (Account | undefined)[]

/** What is known about a server that is watched. */
export interface WatchedServer {
  /** Where curl lines lead. */
  readonly url: string
  /** It has the sandbox's test numbers, and no operator who gives reasons of his own. */
  readonly sandbox: boolean
}

/** Watches what all parts record, whatever they ask for it. */
export interface TrafficWatch {
  /** What comes from now on is that of this server. */
  server(accounts: Accounts, watched: WatchedServer): void
  record(exchange: Exchange, direction: Direction): void
  /** Undefined when nothing came. */
  result(): PartResult | undefined
}

export interface WatchOptions {
  readonly contract: Contract
  /** What is held against each exchange of a server; asked anew for each. */
  readonly judges: (accounts: Accounts, watched: WatchedServer) => ExchangeJudges
  /** Whether every `server` is one and the same; gateways of our own are new ones that begin again. */
  readonly isOneServer: boolean
}

export function createWatch({ contract, judges, isOneServer }: WatchOptions): TrafficWatch {
  const { done } = beginPart(WATCH)
  const read = createReader(contract)
  const found = new Map<string, Finding>()
  const servers: Server[] = []
  let cases = 0
  let checks = 0

  const note = ({ url, hide }: Server, { rule, what, about }: Fault, seen?: ObservedExchange): void => {
    if (found.has(rule)) return
    const curl = seen?.direction === 'asked' ? curlLine({ url, hide }, seen.exchange.request) : undefined
    found.set(rule, {
      about: about ?? seen?.operation?.id ?? WATCH,
      what: hide(what),
      ...(curl !== undefined && { curl }),
    })
  }
  return {
    server(accounts, watched) {
      if (servers.length > 0 && isOneServer) return
      servers.push({ ...watched, hide: hiding(secretsOf(...accounts)), ...judges(accounts, watched) })
    },
    record(exchange, direction) {
      const server = servers.at(-1)
      if (!server) return
      const seen = read(exchange, direction)
      cases += 1
      checks += server.each.length
      for (const judge of server.each) for (const fault of judge(seen)) note(server, fault, seen)
    },
    result() {
      if (cases === 0) return undefined
      for (const server of servers) for (const fault of server.end()) note(server, fault)
      return done({ cases, checks, findings: [...found.values()] })
    },
  }
}

type Server = WatchedServer & ExchangeJudges & { readonly hide: Redact }
