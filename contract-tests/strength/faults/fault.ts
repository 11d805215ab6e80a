import type { operations } from '../../../generated/schema.d.ts'
import type { ProxyOptions, WireReply, WireRequest } from '../../harness/proxy.ts'
import {
  sourcePlant,
  type EditRow,
  type PlantedFault,
  type SourcePlant,
} from '../../../server/verification/planted-faults/planted-fault.ts'
import type { ByteHooks } from './byte-proxy.ts'

/** What an implementer gets wrong, and the parts that are responsible for it, the likeliest first. */
export const KINDS = {
  keys: ['declared', 'inputs'],
  requests: ['declared', 'inputs'],
  replies: ['declared'],
  references: ['inputs', 'declared', 'apart'],
  money: ['receiver', 'options', 'model'],
  states: ['receiver', 'model'],
  callbacks: ['receiver'],
  handshake: ['receiver'],
  redirect: ['receiver', 'outgoing'],
  /** No HTTP client can send what shows these: only bare sockets reach them. */
  bytes: ['wire'],
  /** Two merchants that are not isolated. */
  merchants: ['apart'],
  /** One provider, direction or bank is wrong. */
  options: ['options'],
  /** One unit, second or attempt too many or too few. */
  limits: ['limits'],
  words: ['declared', 'inputs'],
  outgoing: ['outgoing', 'receiver'],
  incoming: ['inputs', 'declared'],
  currencies: ['options', 'declared'],
  rsa: ['outgoing', 'receiver'],
  /** Operations beyond the original description: refunds, batches, cancelled payouts. */
  additions: ['additions', 'declared'],
  /** Only staff can cause it: the part arranges it at a gateway of its own, so a fault is planted in its source. */
  suspension: ['arranged'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>
export type Kind = keyof typeof KINDS

export type OperationId = keyof operations

/** A fault of a gateway that the contract suite finds. */
export interface ContractFault extends PlantedFault {
  readonly kind: Kind
  readonly plant: TrafficPlant | SourcePlant
}

/** Planted in the proxies around the gateway, which never learns of it. */
export interface TrafficPlant {
  readonly in: 'traffic'
  /** Called for every run, so that a fault may keep state. */
  readonly start: (context: FaultContext) => Plant
}

/** What a fault knows and can do. */
export interface FaultContext {
  readonly publicKey: string
  readonly secretKey: string
  readonly signingKey: string
  readonly webhookSecret: string
  /** What signs the messages to the second merchant, whose addresses begin with `/other`. */
  readonly other?: () => Pick<FaultContext, 'signingKey' | 'webhookSecret'> | undefined
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
}

/** What a gateway with the fault does, and how it is planted: in traffic, or in its source. */
export interface TrafficRow {
  readonly does: string
  readonly plant: TrafficPlant['start']
}
export interface SourceRow {
  readonly does: string
  readonly edits: readonly EditRow[]
}

/** Changes texts of the server's source. */
export const edited = (does: string, ...edits: readonly EditRow[]): SourceRow => ({ does, edits })

/** Rows of one kind, by the names of their faults. */
export type FaultRows = Readonly<Record<string, TrafficRow | SourceRow>>

export const faultsOf = (kind: Kind, rows: FaultRows): readonly ContractFault[] =>
  Object.entries(rows).map(([name, row]) => ({
    name,
    kind,
    does: row.does,
    foundBy: KINDS[kind],
    plant: 'edits' in row ? sourcePlant(row.edits) : { in: 'traffic', start: row.plant },
  }))
