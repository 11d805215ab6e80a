import type { ByteHooks } from './byte-proxy.ts'
import type { ProxyOptions, WireReply, WireRequest } from '../../harness/proxy.ts'

export const GROUPS = [
  'keys',
  'requests',
  'replies',
  'references',
  'money',
  'states',
  'callbacks',
  'handshake',
  'redirect',
  'bytes',
  'merchants',
  'options',
  'limits',
  'words',
  'outgoing',
  'incoming',
  'currencies',
  'rsa',
] as const
export type Group = (typeof GROUPS)[number]

export type OperationId =
  | 'listPaymentProviders'
  | 'listPayoutBanks'
  | 'listWalletBalances'
  | 'verifyTransaction'
  | 'initializeCollection'
  | 'authorizeCollection'
  | 'sendFunds'

/** One defect of a server, planted in the proxies around the real gateway, which never learns of it. */
export interface Fault {
  readonly name: string
  readonly group: Group
  /** The server's defect, as a predicate. */
  readonly what: string
  /** The operations that show it: a small Schemathesis run tests only these. Absent: no schema shows it. */
  readonly at?: readonly OperationId[]
  /** Called for every run, so that a fault may keep state. */
  readonly plant: (world: FaultContext) => Plant
}

/** What a fault knows and can do. */
export interface FaultContext {
  readonly publicKey: string
  readonly secretKey: string
  readonly signingKey: string
  readonly webhookSecret: string
  /** To the gateway, bypassing the fault. */
  send(request: WireRequest): Promise<WireReply>
  /** To the merchant's receiver, bypassing the fault. */
  deliver(request: WireRequest): Promise<WireReply>
}

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>

export interface Plant {
  /** Between merchants (or customers) and the gateway. */
  readonly api?: Hooks
  /** Between the gateway and the merchant's receiver: callbacks and handshakes, and their answers. */
  readonly merchant?: Hooks
  /** The same place as `api`, for bytes that are not HTTP: only bare sockets come through here. */
  readonly bytes?: ByteHooks
  /** Statements for the gateway's database, once it has started: times and counts that no message carries. */
  readonly database?: readonly string[]
}

/** Adds the name of their group to faults. */
export const faultsOf = (
  group: Group,
  faults: Readonly<Record<string, Omit<Fault, 'name' | 'group'>>>,
): readonly Fault[] => Object.entries(faults).map(([name, fault]) => ({ name, group, ...fault }))

/**
 * Faults of a group that break a rule and no schema: finding them takes the sandbox's data, another merchant, or
 * earlier messages. Schemathesis is not run against them.
 */
export const ruleFaultsOf = (
  group: Group,
  faults: Readonly<Record<string, Omit<Fault, 'name' | 'group'>>>,
): readonly Fault[] => faultsOf(group, faults).map(({ at: _unseen, ...fault }) => fault)
