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

/** One thing that a server does wrong, planted on the wires around the real gateway, which never learns of it. */
export interface Fault {
  readonly name: string
  readonly group: Group
  /** What the server does, as a sentence. */
  readonly what: string
  /** Where it shows: a small run of Schemathesis asks these operations only. Absent: the schemas cannot tell it. */
  readonly at?: readonly OperationId[]
  /** Called anew for every run, so that a fault may remember what went by. */
  readonly plant: (world: FaultContext) => Plant
}

/** What a fault knows and can do. */
export interface FaultContext {
  readonly publicKey: string
  readonly secretKey: string
  readonly signingKey: string
  readonly webhookSecret: string
  /** To the gateway, past the fault. */
  send(request: WireRequest): Promise<WireReply>
  /** To the merchant's receiver, past the fault. */
  deliver(request: WireRequest): Promise<WireReply>
}

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>

export interface Plant {
  /** Between merchants (or customers) and the gateway. */
  readonly api?: Hooks
  /** Between the gateway and the merchant's receiver: callbacks and handshakes, and what is answered to them. */
  readonly merchant?: Hooks
  /** The same place as `api`, for bytes that are no HTTP: only bare sockets come through here. */
  readonly bytes?: ByteHooks
  /** Statements for the gateway's database, once it has started: times and counts that no message carries. */
  readonly database?: readonly string[]
}

/** The faults of a group, which each of them then need not name. */
export const faultsOf = (
  group: Group,
  faults: Readonly<Record<string, Omit<Fault, 'name' | 'group'>>>,
): readonly Fault[] => Object.entries(faults).map(([name, fault]) => ({ name, group, ...fault }))

/**
 * The faults of a group that break a rule and no schema: who finds them knows the sandbox, another merchant, or what was
 * said before. Schemathesis is not asked.
 */
export const ruleFaultsOf = (
  group: Group,
  faults: Readonly<Record<string, Omit<Fault, 'name' | 'group'>>>,
): readonly Fault[] => faultsOf(group, faults).map(({ at: _unseen, ...fault }) => fault)
