import {
  sourceFaults,
  type EditRow,
  type SourceFault,
} from '../../../server/verification/planted-faults/planted-fault.ts'

/** What an implementer gets wrong, and the parts that are responsible for it, the likeliest first. */
const KINDS = {
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
  /** Only staff can cause it: the part arranges it at a gateway of its own. */
  suspension: ['arranged'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>

/** What a gateway with the fault does, and the edits of its source that plant it. */
type FaultRow = readonly [does: string, ...edits: readonly EditRow[]]

export const edited = (...row: FaultRow): FaultRow => row

/** Faults of one kind that the contract suite finds. @param rows by the names of the faults */
export const faultsOf = (kind: keyof typeof KINDS, rows: Readonly<Record<string, FaultRow>>): readonly SourceFault[] =>
  sourceFaults(kind, KINDS[kind][0], rows).map((fault) => ({ ...fault, foundBy: KINDS[kind] }))
