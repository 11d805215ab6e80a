import type { Contract } from '../../../openapi/reading/contract.ts'
import type { Direction } from '../coverage/exchange.ts'
import { curlLine, type Redact } from '../curl.ts'
import { beginPart, type Finding, type PartResult } from '../part.ts'
import type { Exchange } from '../proxy.ts'
import type { ExchangeJudges } from './judges.ts'
import { hiding, secretsOf, type Account } from './secrets.ts'
import { createReader, type Fault, type ObservedExchange } from './observed-exchange.ts'

/** Name of its row in the results. */
export const WATCH = 'everywhere'

/** The first is the merchant under test, the rest are other merchants. */
export type Accounts = readonly (Account | undefined)[]

/** What is known about a watched server. */
export interface WatchedServer {
  /** Address that curl lines use. */
  readonly url: string
  /** It has the sandbox's test numbers, and no operator with reasons of its own. */
  readonly sandbox: boolean
}

/** Watches the traffic of all parts. */
export interface TrafficWatch {
  /** Attributes the traffic from now on to this server. */
  server(accounts: Accounts, watched: WatchedServer): void
  record(exchange: Exchange, direction: Direction): void
  /** Undefined when there was no traffic. */
  result(): PartResult | undefined
}

export interface WatchOptions {
  readonly contract: Contract
  /** Rules for each exchange of a server; created anew for each server. */
  readonly judges: (accounts: Accounts, watched: WatchedServer) => ExchangeJudges
  /** Whether every `server` is the same one; gateways of our own are new ones that start over. */
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
